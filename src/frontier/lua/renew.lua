-- Moves the deadline of a lease. Reply: 1, or 0 where the lease is not out.
--- @include "store"

if not redis.call('ZSCORE', key('leases'), args.token) then
  return 0
end
redis.call('ZADD', key('leases'), whole(tonumber(args.deadline)), args.token)
return 1
