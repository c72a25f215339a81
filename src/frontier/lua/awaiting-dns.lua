-- Up to `count` hosts whose address is to be looked up now, the longest waiting first. Each is told again only after `term`
-- ms, unless its address is told: whoever asked may be dead. Reply: {host, ...}.

advance_clock(args.now)
local names = redis.call('ZRANGEBYSCORE', key('awaiting-dns'), '-inf', whole(state.clock), 'LIMIT', 0, args.count)
for _, name in ipairs(names) do
  redis.call('ZADD', key('awaiting-dns'), whole(state.clock + tonumber(args.term)), name)
end
write_state()
return names
