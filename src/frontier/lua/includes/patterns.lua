-- URL patterns of a host (model/url/url-shape.ts). For each pattern, the HASH `patterns` of the host has the number of its entries so far in the
-- common queue, or minus the number of its own queue. It also has the records of these queues.

-- The first entries of a pattern go to the common queue: most patterns have few, and a queue of their own costs keys.
local FIRST_ENTRIES = 16
-- Most patterns of a host; all others count as one. Otherwise a host with a pattern per page would get a dividend share for each.
local MOST_PATTERNS = 1024
local OVERFLOW = '*'

local function load(host, texts)
  local stored = host.is_new and {} or redis.call('HMGET', hosts.patterns_key(host), unpack(texts))
  for index, text in ipairs(texts) do
    if not host.known[text] then
      host.known[text] = { text = text, had = tonumber(stored[index] or 0) }
    end
  end
end

-- The patterns with these texts, in their order.
function patterns.of(host, texts)
  host.known = host.known or {}
  load(host, texts)
  local list = {}
  for index, text in ipairs(texts) do
    list[index] = host.known[text]
    if list[index].had == 0 and host.patterns >= MOST_PATTERNS then
      load(host, { OVERFLOW })
      list[index] = host.known[OVERFLOW]
    end
  end
  return list
end

-- The queue for new entries of a pattern.
function patterns.queue_of(host, pattern)
  return pattern.had < 0 and hosts.queue_of(host, -pattern.had) or host
end

-- Admits one more entry of a pattern. Returns its queue.
function patterns.admit(host, pattern)
  if pattern.had < 0 then
    return hosts.queue_of(host, -pattern.had)
  end
  pattern.changed, host.changed = true, true
  if pattern.had < FIRST_ENTRIES then
    if pattern.had == 0 then
      credit.count_patterns(host, 1, 0)
    end
    pattern.had = pattern.had + 1
    return host
  end
  credit.count_patterns(host, 0, 1)
  local queue = queues.new(host, host.pattern_queues, pattern.text)
  queue.fetched = FIRST_ENTRIES -- the entries in the common queue; it is not known any more how many of them were visited
  host.loaded[host.pattern_queues] = queue
  pattern.had = -host.pattern_queues
  return queue
end

function patterns.flush()
  for _, host in pairs(hosts.loaded) do
    local records = {}
    for text, pattern in pairs(host.known or {}) do
      if pattern.changed then
        store.push(records, text, pattern.had)
      end
    end
    store.call_with('HSET', hosts.patterns_key(host), records)
  end
end
