-- Stores the answer to a name look-up. The host may be visited from now on, unless the look-up failed and will be tried again.
-- Arguments:
--   now      epoch ms
--   host     host whose name was looked up
--   kind     address, no-address or failed
--   address  '' where there is none
--   nextTry  time of the next try of a failed look-up (epoch ms); '' where there is none
-- Reply: 1, or 0 where the host does not await DNS.

if not redis.call('ZSCORE', store.key('awaiting-dns'), args.host) then
  return 0
end
crawl.advance_clock(args.now)
if args.kind == 'failed' and args.nextTry ~= '' then
  redis.call('ZADD', store.key('awaiting-dns'), args.nextTry, args.host)
else
  redis.call('ZREM', store.key('awaiting-dns'), args.host)
  crawl.count('awaiting_dns', -1)
  local host = hosts.of(args.host)
  host.awaiting_dns, host.address = 0, args.address
  hosts.set_due(host)
  hosts.flush()
  credit.flush()
end
crawl.write()
return 1
