-- Makes the caller the leader of the crawl: from now on others are refused the leader's scripts (includes/leader.lua).
-- Arguments:
--   epoch  of the caller
-- Reply: 1, or 0 where another process has a later epoch: then nothing changes.

local last = tonumber(redis.call('HGET', keys.meta, 'leader') or '0')
if tonumber(args.epoch) < last then
  return 0
end
redis.call('HSET', keys.meta, 'leader', args.epoch)
return 1
