-- Takes the answer to a look-up: `kind` is address | no-address | failed. With `nextTry` (epoch ms) the host goes on waiting.
-- Without, and for every other kind, it may be visited from now on. Reply: 1, or 0 where the host waits for no address.

if not redis.call('ZSCORE', key('awaiting-dns'), args.host) then
  return 0
end
advance_clock(args.now)
if args.kind == 'failed' and args.nextTry ~= '' then
  redis.call('ZADD', key('awaiting-dns'), args.nextTry, args.host)
else
  redis.call('ZREM', key('awaiting-dns'), args.host)
  count('awaiting_dns', -1)
  local host = host_of(args.host)
  host.awaiting_dns, host.address = 0, args.address
  set_due(host)
  flush_hosts()
end
write_state()
return 1
