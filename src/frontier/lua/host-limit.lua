-- Says how many pages of a host may be visited, 0 for any number. Hosts that were spent and are not by this limit may be leased from again,
-- `count` in a call. Reply: how many.

books.host_limit = tonumber(args.limit)
local below = books.host_limit == 0 and '+inf' or '(' .. args.limit
local names = redis.call('ZRANGEBYSCORE', key('spent'), '-inf', below, 'LIMIT', 0, args.count)
for _, name in ipairs(names) do
  host_of(name).changed = true
end
flush_hosts()
flush_credit()
close_books()
return #names
