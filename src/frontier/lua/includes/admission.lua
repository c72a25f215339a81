-- How URLs become known. Needs store, record, host, queue, seen.

-- Reads URL number `index` (from 0) of REST: five fields each, in two shapes.
local FIELDS = 5
local function sighting_at(index)
  local at = REST + index * FIELDS
  if ARGV[at] ~= 's' then
    return {
      kind = ARGV[at],
      index = index + 1,
      host = ARGV[at + 1],
      path = ARGV[at + 2],
      fingerprint = ARGV[at + 3],
      facts = ARGV[at + 4],
      credit = 0,
    }
  end
  return {
    kind = 's',
    index = index + 1,
    url = ARGV[at + 1],
    fingerprint = ARGV[at + 2],
    reason = ARGV[at + 3],
    record = ARGV[at + 4],
  }
end

-- All of REST by kind: c (candidates), g (guesses), s (skipped), and how many there are.
local function sightings()
  local lists = { c = {}, g = {}, s = {}, total = (#ARGV - REST + 1) / FIELDS }
  for index = 0, lists.total - 1 do
    local sighting = sighting_at(index)
    local list = lists[sighting.kind]
    list[#list + 1] = sighting
  end
  return lists
end

-- The facts of the sighting with the smaller depth, and the fewer hops beyond the scope, as text; nil where the old
-- ones stay. Where the old one was a guess and the new one is a link, the host has a place for another guess.
local function better_facts(host, old, new)
  local depth, hops, guess = string.match(old, '^(%d+) %d+ (%d+) %d+ %S(%??)')
  local newDepth, newHops = string.match(new, '^(%d+) %d+ (%d+)')
  local confirmed = guess == '?'
  if not confirmed and tonumber(newDepth) >= tonumber(depth) and tonumber(newHops) >= tonumber(hops) then
    return nil
  end
  if confirmed then
    host.guesses = host.guesses - 1
    host.changed = true
  end
  local was, is = unpack_facts(old), unpack_facts(new)
  local facts = (confirmed or is.depth < was.depth) and is or was
  facts.depth = math.min(was.depth, is.depth)
  facts.hops = math.min(was.hops, is.hops)
  facts.attempts = was.attempts
  return pack_facts(facts)
end

-- URL -> token of the leases that are out: as many as there are workers, so they are read at once.
local out
local function token_of(url)
  if not out then
    out = {}
    local pairs_of = redis.call('HGETALL', key('leased'))
    for index = 1, #pairs_of, 2 do
      out[pairs_of[index]] = pairs_of[index + 1]
    end
  end
  return out[url]
end

local has_waiting
local function waiting_text(url)
  if has_waiting == nil then
    has_waiting = redis.call('EXISTS', key('retry')) == 1
  end
  return has_waiting and redis.call('HGET', key('retry'), url)
end

-- Gives credit to a URL that is known and not queued, and a smaller depth; false where it has ended.
local function credit_unqueued(host, candidate)
  local url = host.name .. candidate.path
  local token = token_of(url)
  if token then
    if candidate.credit > 0 then
      local lease = unpack_lease(redis.call('HGET', key('lease'), token))
      lease.credit = lease.credit + candidate.credit
      redis.call('HSET', key('lease'), token, pack_lease(lease))
    end
    return true
  end
  local text = waiting_text(url)
  if text then
    local record = unpack_record(text)
    record.credit = record.credit + candidate.credit
    local facts = pack_facts(record.facts)
    record.facts = unpack_facts(better_facts(host, facts, candidate.facts) or facts)
    redis.call('HSET', key('retry'), url, pack_record(record))
    return true
  end
  return false
end

-- Whether admit_all would queue it.
local function is_admissible(candidate)
  if knows('seen', candidate.fingerprint) then
    return false
  end
  return not knows('skipped', candidate.fingerprint)
    or redis.call('HEXISTS', key('deferred'), candidate.host .. candidate.path) == 1
end

-- Reasons that lie in the way that led to a URL, not in the URL: by another way it may be followed after all.
local DEFERRABLE = { depth = true, nofollow = true }

-- A URL that was skipped for the way to it, and is reached by a better one; false where it was skipped for good.
local function undefer(candidate)
  if redis.call('HDEL', key('deferred'), candidate.host .. candidate.path) == 0 then
    return false
  end
  forget('skipped', candidate.fingerprint)
  count('skipped', -1)
  return true
end

-- Makes a URL that is not queued known. Says whether it is to be queued now; a URL that is pending elsewhere gets the credit.
local function is_to_queue(host, candidate)
  if not remember('seen', candidate.fingerprint) then
    candidate.taken = credit_unqueued(host, candidate)
    return false
  end
  if not knows('skipped', candidate.fingerprint) then
    candidate.new = true
    count('discovered', 1)
  elseif not undefer(candidate) then
    forget('seen', candidate.fingerprint)
    return false
  end
  candidate.taken = true
  count('queued', 1)
  return true
end

-- Admits different candidates of one shard: whatever is written to the queue and its facts is written at once.
local function admit_to_shard(host, shard, candidates)
  local paths = {}
  for index, candidate in ipairs(candidates) do
    paths[index] = candidate.path
  end
  local queued = redis.call('ZMSCORE', queue_key(host, shard), unpack(paths))
  local known, fields, scores, facts = {}, {}, {}, {}
  local function put(candidate, credit)
    scores[#scores + 1] = credit -- as a number: Redis writes 17 digits of it, which is exact
    scores[#scores + 1] = candidate.path
    raise(host, shard, credit)
  end
  for index, candidate in ipairs(candidates) do
    if queued[index] then
      candidate.taken = true
      if candidate.credit > 0 then
        put(candidate, tonumber(queued[index]) + candidate.credit)
      end
      known[#known + 1] = candidate
      fields[#fields + 1] = candidate.field
    elseif is_to_queue(host, candidate) then
      put(candidate, candidate.credit)
      facts[#facts + 1] = candidate.field
      facts[#facts + 1] = candidate.facts
      host.queued = host.queued + 1
    end
  end
  if #known > 0 then
    local texts = redis.call('HMGET', facts_key(host, shard), unpack(fields))
    for index, candidate in ipairs(known) do
      local better = better_facts(host, texts[index], candidate.facts)
      if better then
        facts[#facts + 1] = candidate.field
        facts[#facts + 1] = better
      end
    end
  end
  if #scores > 0 then
    redis.call('ZADD', queue_key(host, shard), unpack(scores))
  end
  if #facts > 0 then
    redis.call('HSET', facts_key(host, shard), unpack(facts))
  end
end

-- Different candidates of one host.
local function admit_to_host(host, candidates)
  local shards = {}
  for _, candidate in ipairs(candidates) do
    local shard
    shard, candidate.field = address(host, candidate.path)
    shards[shard] = shards[shard] or {}
    table.insert(shards[shard], candidate)
  end
  for shard, some in pairs(shards) do
    admit_to_shard(host, shard, some)
  end
  grow(host)
end

-- A shard takes so many at a time: with what it holds before it is split they stay below the bound of its packed form.
local CHUNK = 64

local function way(facts)
  return string.match(facts, '^%d+ %d+ %d+')
end

-- Queues candidates with their credit, or adds the credit to what is known. Sets in each whether the credit was `taken`
-- (the URL is pending now), and whether it was `new`. Of one URL the first has the credit.
local function admit_all(candidates)
  local firsts, names, by_host, again = {}, {}, {}, {}
  for _, candidate in ipairs(candidates) do
    local first = firsts[candidate.fingerprint]
    if not first then
      firsts[candidate.fingerprint] = candidate
      local list = by_host[candidate.host]
      if not list then
        list = { {} }
        by_host[candidate.host] = list
        names[#names + 1] = candidate.host
      elseif #list[#list] == CHUNK then
        list[#list + 1] = {}
      end
      table.insert(list[#list], candidate)
    elseif way(first.facts) ~= way(candidate.facts) then
      again[#again + 1] = candidate
    end
  end
  for _, name in ipairs(names) do
    for _, chunk in ipairs(by_host[name]) do
      admit_to_host(host_of(name), chunk)
    end
  end
  for _, candidate in ipairs(again) do
    admit_to_host(host_of(candidate.host), { candidate })
  end
end

-- Records a URL that is not followed. Says whether it was new; the line for the journal is added to `lines`, unless it
-- may still become a candidate by another way.
local function skip(sighting, lines)
  if knows('seen', sighting.fingerprint) or not remember('skipped', sighting.fingerprint) then
    return false
  end
  count('discovered', 1)
  count('skipped', 1)
  if DEFERRABLE[sighting.reason] then
    redis.call('HSET', key('deferred'), sighting.url, sighting.record)
  else
    lines[#lines + 1] = sighting.record
  end
  return true
end

local function add_seed(url)
  redis.call('ZADD', key('seeds'), 'NX', redis.call('ZCARD', key('seeds')), url)
end
