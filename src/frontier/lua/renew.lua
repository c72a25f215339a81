-- Moves the deadline of a lease; `begins` is yes where a worker takes up its visit. Reply: 1, or 0 where the lease is not out.

local packed = redis.call('HGET', key('leases'), args.token)
if not packed then
  return 0
end
local lease = unpack_lease(packed)
lease.deadline = tonumber(args.deadline)
lease.begun = args.begins == 'yes' and 1 or lease.begun
write_lease(args.token, lease)
return 1
