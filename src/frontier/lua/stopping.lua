-- The user stops the crawl: no visit that is under way is to blame for an end of the program.
-- Arguments:
--   epoch  of the caller, see includes/leader.lua
-- Reply: how many leases are out.

leader.check(args.epoch)
local stored = redis.call('HGETALL', store.key('leases'))
for index = 1, #stored, 2 do
  local lease = leases.unpack(stored[index + 1])
  lease.begun = 0
  leases.write(stored[index], lease)
end
return #stored / 2
