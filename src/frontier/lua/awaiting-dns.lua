-- Lists hosts that await DNS and whose name must be looked up now, the longest waiting first.
-- Arguments:
--   now    epoch ms
--   count  hosts, at most
--   term   ms until a host without an answer is listed again: the process that asked may be dead
--   epoch  of the caller, see includes/leader.lua
-- Reply: {host, ...}.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local names = redis.call('ZRANGEBYSCORE', store.key('awaiting-dns'), '-inf', store.whole(crawl.state.clock), 'LIMIT', 0, args.count)
for _, name in ipairs(names) do
  redis.call('ZADD', store.key('awaiting-dns'), store.whole(crawl.state.clock + tonumber(args.term)), name)
end
crawl.write()
return names
