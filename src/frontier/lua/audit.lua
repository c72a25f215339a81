-- Adds up all credit. Walks over all pending URLs: for tests and for `doctor`, not for a running crawl.
-- Arguments: none.
-- Reply: the sum.

local sum = crawl.state.lambda
local before = #store.key('host:')
for _, name in ipairs(redis.call('KEYS', store.key('host:*'))) do
  local host = hosts.of(string.sub(name, before + 1))
  credit.collect_queues(host)
  hosts.load_queues(host)
  for _, queue in pairs(host.loaded) do
    sum = sum + queue.remainder
    for shard = 0, queue.shards - 1 do
      for _, value in ipairs(redis.call('HVALS', shards.key(queue, shard))) do
        local entry = entries.unpack(value)
        if not entries.is_speculative(entry) then
          assert(entry.balance + queue.dividend_index >= 0, 'an entry owes credit')
          sum = sum + entry.balance + queue.dividend_index
        end
      end
    end
  end
end
-- Only domains of hosts have a remainder.
for _, domain in pairs(domains.loaded) do
  sum = sum + domain.remainder
end
return store.whole(sum)
