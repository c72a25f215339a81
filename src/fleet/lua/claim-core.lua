-- Claims a core for a process that renders, or renews its claim. Claims that are not renewed run out.
-- Arguments: processors, the name of the set that has the core; holder, the process; cores of the set, -1 to claim in any case; term, ms.
-- Reply: 1, or 0 where others have claimed all cores, or nobody leads the crawl; then nothing is claimed.

if redis.call('HGET', keys.controller, 'state') ~= 'running' then
  return 0
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', keys.claims, '-inf', now)
local member = args.processors .. ' ' .. args.holder
local cores = tonumber(args.cores)
if cores >= 0 and not redis.call('ZSCORE', keys.claims, member) then
  local claimed = 0
  for _, other in ipairs(redis.call('ZRANGE', keys.claims, 0, -1)) do
    if string.sub(other, 1, #args.processors + 1) == args.processors .. ' ' then
      claimed = claimed + 1
    end
  end
  if claimed >= cores then
    return 0
  end
end
redis.call('ZADD', keys.claims, now + tonumber(args.term), member)
return 1
