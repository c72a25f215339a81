-- Moves the deadline of a lease. Reply: 1, or 0 where the lease is not out.

local packed = redis.call('HGET', key('leases'), args.token)
if not packed then
  return 0
end
local lease = unpack_lease(packed)
lease.deadline = tonumber(args.deadline)
write_lease(args.token, lease)
return 1
