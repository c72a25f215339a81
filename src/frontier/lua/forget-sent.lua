-- Forgets entries that another part of the crawl has taken.
-- Arguments:
--   to     number of that part
--   last   number of the last of them
--   epoch  of the caller, see includes/leader.lua
-- Reply: number of entries forgotten.

leader.check(args.epoch)
local name = store.key('out:' .. args.to)
local length = redis.call('LLEN', name)
local before = tonumber(redis.call('HGET', store.key('sent'), args.to) or '0') - length
local done = math.max(0, math.min(length, tonumber(args.last) - before))
if done > 0 then
  redis.call('LTRIM', name, done, -1)
end
return done
