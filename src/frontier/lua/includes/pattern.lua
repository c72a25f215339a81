-- URL patterns of a host (model of core/traps/pattern.ts): pattern -> how many pages it has had, or minus the number of its queue, in the
-- HASH of its queues. Needs store, queue, host, credit.

local patterns_of, queue_of_pattern, admit_to_pattern, flush_patterns
do
  -- The first pages of a pattern stand in the common queue: most patterns have few, and a queue of their own costs keys.
  local FIRST_ENTRIES = 16
  -- A host that makes a pattern for each page would have one paid for each: what comes later is one pattern.
  local MOST_PATTERNS = 1024
  local OVERFLOW = '*'

  local function load_patterns(host, texts)
    local stored = host.is_new and {} or redis.call('HMGET', patterns_key(host), unpack(texts))
    for index, text in ipairs(texts) do
      if not host.known[text] then
        host.known[text] = { text = text, had = tonumber(stored[index] or 0) }
      end
    end
  end

  -- The patterns of these texts, in their order.
  function patterns_of(host, texts)
    host.known = host.known or {}
    load_patterns(host, texts)
    local patterns = {}
    for index, text in ipairs(texts) do
      patterns[index] = host.known[text]
      if patterns[index].had == 0 and host.patterns >= MOST_PATTERNS then
        load_patterns(host, { OVERFLOW })
        patterns[index] = host.known[OVERFLOW]
      end
    end
    return patterns
  end

  -- Where pages of a pattern that are new come to stand.
  function queue_of_pattern(host, pattern)
    return pattern.had < 0 and queue_of(host, -pattern.had) or host
  end

  -- A pattern comes to a host, or to have a queue of its own. A speculative link may bring one to a host that is not up to date.
  local function count_pattern(host, patterns, queues)
    collect(host)
    local before = common_shares(host)
    host.patterns, host.pattern_queues = host.patterns + patterns, host.pattern_queues + queues
    change_shares(host, common_shares(host) - before)
  end

  -- One more page of a pattern is admitted. Its queue.
  function admit_to_pattern(host, pattern)
    if pattern.had < 0 then
      return queue_of(host, -pattern.had)
    end
    pattern.changed, host.changed = true, true
    if pattern.had < FIRST_ENTRIES then
      if pattern.had == 0 then
        count_pattern(host, 1, 0)
      end
      pattern.had = pattern.had + 1
      return host
    end
    count_pattern(host, 0, 1)
    local queue = new_queue(host, host.pattern_queues, pattern.text)
    queue.fetched = FIRST_ENTRIES -- those in the common queue; whether they were is not known any more
    host.loaded[host.pattern_queues] = queue
    pattern.had = -host.pattern_queues
    return queue
  end

  function flush_patterns()
    for _, host in pairs(hosts) do
      local records = {}
      for text, pattern in pairs(host.known or {}) do
        if pattern.changed then
          push(records, text, pattern.had)
        end
      end
      call_with('HSET', patterns_key(host), records)
    end
  end
end
