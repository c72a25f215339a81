-- How URLs become known. Needs store, record, host, queue, seen.

-- Reads URL number `index` (from 0) of REST: five fields each, in two shapes.
local FIELDS = 5
local function sighting_at(index)
  local at = REST + index * FIELDS
  if ARGV[at] ~= 's' then
    return {
      kind = ARGV[at] == 'g' and 'guess' or 'candidate',
      host = ARGV[at + 1],
      path = ARGV[at + 2],
      fingerprint = ARGV[at + 3],
      facts = ARGV[at + 4],
    }
  end
  return {
    kind = 'skipped',
    url = ARGV[at + 1],
    fingerprint = ARGV[at + 2],
    reason = ARGV[at + 3],
    record = ARGV[at + 4],
  }
end

local function sightings()
  local list = {}
  for index = 0, (#ARGV - REST + 1) / FIELDS - 1 do
    list[#list + 1] = sighting_at(index)
  end
  return list
end

-- The facts of the sighting with the smaller depth, and the fewer hops beyond the scope, as text; nil where the old
-- ones stay. Where the old one was a guess and the new one is a link, the host has a place for another guess.
local function better_facts(host, old, new)
  local was, is = unpack_facts(old), unpack_facts(new)
  local confirmed = is_guess(was)
  if is.depth >= was.depth and is.hops >= was.hops and not confirmed then
    return nil
  end
  if confirmed then
    host.guesses = host.guesses - 1
    host.changed = true
  end
  local facts = (confirmed or is.depth < was.depth) and is or was
  facts.depth = math.min(was.depth, is.depth)
  facts.hops = math.min(was.hops, is.hops)
  facts.attempts = was.attempts
  return pack_facts(facts)
end

-- Gives credit to a URL that is known, and a smaller depth; false where it has ended.
local function credit_known(host, candidate, credit)
  local path = candidate.path
  local queued, facts = queued_at(host, path)
  if queued then
    local better = better_facts(host, facts, candidate.facts)
    if credit > 0 or better then
      set_queued(host, path, queued + credit, better)
    end
    return true
  end
  local url = host.name .. path
  local token = redis.call('HGET', key('leased'), url)
  if token then
    local lease = unpack_lease(redis.call('HGET', key('lease'), token))
    lease.credit = lease.credit + credit
    redis.call('HSET', key('lease'), token, pack_lease(lease))
    return true
  end
  local text = redis.call('HGET', key('retry'), url)
  if text then
    local record = unpack_record(text)
    record.credit = record.credit + credit
    local facts = pack_facts(record.facts)
    record.facts = unpack_facts(better_facts(host, facts, candidate.facts) or facts)
    redis.call('HSET', key('retry'), url, pack_record(record))
    return true
  end
  return false
end

-- Whether admit would queue it.
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

-- Queues a candidate with the credit, or adds the credit to what is known.
-- Says whether the credit was taken (the URL is pending now), and whether it was new.
local function admit(candidate, credit)
  local host = host_of(candidate.host)
  if not remember('seen', candidate.fingerprint) then
    return credit_known(host, candidate, credit), false
  end
  local new = not knows('skipped', candidate.fingerprint)
  if new then
    count('discovered', 1)
  elseif not undefer(candidate) then
    forget('seen', candidate.fingerprint)
    return false, false
  end
  enqueue(host, candidate.path, credit, candidate.facts)
  count('queued', 1)
  return true, new
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
