-- Forgets the entries of the journal that are on disk.
-- Arguments:
--   upTo      number of the first entry that is not on disk
--   position  JSON, kept for the repair after a crash
--   epoch     of the caller, see includes/leader.lua
-- Reply: 1, or 0 where `upTo` is before the last written position or beyond the journal's end: then nothing changes.

leader.check(args.epoch)
local written = tonumber(redis.call('HGET', keys.meta, 'written') or '0')
local done = tonumber(args.upTo) - written
if done < 0 or done > redis.call('LLEN', store.key('journal')) then
  return 0
end
redis.call('LTRIM', store.key('journal'), done, -1)
redis.call('HSET', keys.meta, 'written', args.upTo, 'position', args.position)
return 1
