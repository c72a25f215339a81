-- The user stops the crawl: no visit that is under way is to blame for an end of the program. Reply: how many there are.

local leases = redis.call('HGETALL', key('leases'))
for index = 1, #leases, 2 do
  local lease = unpack_lease(leases[index + 1])
  lease.begun = 0
  write_lease(leases[index], lease)
end
return #leases / 2
