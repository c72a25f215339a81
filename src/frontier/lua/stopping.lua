-- Announces that the crawl is stopped, or breaks off: a sudden end of the program is no longer blamed on visits under way.
-- Arguments:
--   epoch  of the caller, see includes/leader.lua
-- Reply: number of leases that are out.

leader.check(args.epoch)
local stored = redis.call('HGETALL', store.key('leases'))
for index = 1, #stored, 2 do
  local lease = leases.unpack(stored[index + 1])
  lease.begun = 0
  leases.write(stored[index], lease)
end
return #stored / 2
