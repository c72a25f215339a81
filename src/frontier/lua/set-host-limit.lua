-- Sets the page limit of hosts. Frees hosts that had used up the old limit but not the new one.
-- Arguments:
--   limit  pages; 0 for no limit
--   count  hosts to free in this call, at most
--   epoch  of the caller, see includes/leader.lua
-- Reply: number of hosts freed; call again until it is 0.

leader.check(args.epoch)
crawl.state.host_limit = tonumber(args.limit)
local below = args.limit == '0' and '+inf' or '(' .. args.limit
local names = redis.call('ZRANGEBYSCORE', store.key('used-up'), '-inf', below, 'LIMIT', 0, args.count)
for _, name in ipairs(names) do
  hosts.of(name).changed = true
end
hosts.flush()
credit.flush()
crawl.write()
return #names
