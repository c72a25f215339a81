-- The sum of all credit. Walks over everything that is pending: for tests and for a doctor, not for a running crawl.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"

local sum = tonumber(redis.call('HGET', keys.meta, 'lambda'))
for _, name in ipairs(redis.call('ZRANGE', key('load'), 0, -1)) do
  local host = host_of(name)
  for shard = 0, host.shards - 1 do
    local members = redis.call('ZRANGE', queue_key(host, shard), 0, -1, 'WITHSCORES')
    for index = 2, #members, 2 do
      sum = sum + tonumber(members[index])
    end
  end
end
for _, text in ipairs(redis.call('HVALS', key('lease'))) do
  sum = sum + unpack_lease(text).credit
end
for _, text in ipairs(redis.call('HVALS', key('retry'))) do
  sum = sum + unpack_record(text).credit
end
return whole(sum)
