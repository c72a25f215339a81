-- Forgets the entries before number `upTo`, and keeps the position (JSON) beside. Reply: 1, or 0 where `upTo` is behind
-- what was written before or beyond what there is: then nothing changes.

local written = tonumber(redis.call('HGET', keys.meta, 'written') or '0')
local done = tonumber(args.upTo) - written
if done < 0 or done > redis.call('LLEN', key('journal')) then
  return 0
end
redis.call('LTRIM', key('journal'), done, -1)
redis.call('HSET', keys.meta, 'written', args.upTo, 'position', args.position)
return 1
