-- Moves the deadline of a lease.
-- Arguments:
--   token     of the lease
--   deadline  epoch ms
--   begins    yes where a worker begins the visit, else ''
-- Reply: 1, or 0 where the lease is not out.

local packed = redis.call('HGET', store.key('leases'), args.token)
if not packed then
  return 0
end
local lease = leases.unpack(packed)
lease.deadline = tonumber(args.deadline)
lease.begun = args.begins == 'yes' and 1 or lease.begun
leases.write(args.token, lease)
return 1
