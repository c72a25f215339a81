-- Takes back leases: `which` is expired (each counts as an attempt) or all (none does).
-- Their hosts are not due before `hostDue`. Reply: how many. Cost: O(leases), as many as there are workers.

advance_clock(args.now)
local all = args.which == 'all'
local leases = redis.call('HGETALL', key('leases'))
local taken = 0
for index = 1, #leases, 2 do
  if all or unpack_lease(leases[index + 1]).deadline <= books.clock then
    local lease = take_back(leases[index])
    requeue(lease, all and 1 or 0)
    postpone(lease.host, tonumber(args.hostDue))
    taken = taken + 1
  end
end
flush_hosts()
flush_credit()
close_books()
return taken
