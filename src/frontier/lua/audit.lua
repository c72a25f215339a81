-- The sum of all credit. Walks over everything that is pending: for tests and for a doctor, not for a running crawl.

local sum = state.lambda
local before = #key('host:')
for _, name in ipairs(redis.call('KEYS', key('host:*'))) do
  local host = host_of(string.sub(name, before + 1))
  collect_queues(host)
  load_queues(host)
  for _, queue in pairs(host.loaded) do
    sum = sum + queue.remainder
    for shard = 0, queue.shards - 1 do
      for _, value in ipairs(redis.call('HVALS', shard_key(queue, shard))) do
        local entry = unpack_entry(value)
        if not is_speculative(entry) then
          assert(entry.balance + queue.dividend_index >= 0, 'an entry owes credit')
          sum = sum + entry.balance + queue.dividend_index
        end
      end
    end
  end
end
-- a domain that has something is that of a host
for _, domain in pairs(domains) do
  sum = sum + domain.remainder
end
return whole(sum)
