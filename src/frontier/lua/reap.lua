-- Takes back leases: `which` is expired (each counts as an attempt) or all (none does).
-- Their hosts are not due before `hostDue`. Reply: how many. Cost: O(leases), as many as there are workers.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"
--- @include "lease"

advance_clock(args.now)
local all = args.which == 'all'
local tokens = redis.call('ZRANGEBYSCORE', key('leases'), '-inf', all and '+inf' or whole(NOW))
for _, token in ipairs(tokens) do
  local lease = take_back(token)
  requeue(lease, all and 1 or 0)
  postpone(host_of(lease.host), tonumber(args.hostDue))
end
flush_hosts()
close_books()
return #tokens
