-- Reply: {discovered, visited, failed, skipped, queued, leased, hosts}.
--- @include "store"

local totals = redis.call('HMGET', keys.meta, 'discovered', 'visited', 'failed', 'skipped', 'queued', 'leased')
for index = 1, 6 do
  totals[index] = tonumber(totals[index] or '0')
end
totals[7] = redis.call('ZCARD', key('load'))
return totals
