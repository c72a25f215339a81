-- Speculative links: URLs that only low-confidence links lead to. A host may have `spec_budget` of them pending at a time: at first
-- FIRST_SPEC_BUDGET (hosts.lua), plus one for each that proved right, minus one for each that proved wrong. So its wrong ones never
-- outnumber the first budget plus the right ones. A link beyond the budget is deferred: skipped so far, and queued in order of
-- arrival when a place becomes free. Speculative links take no part in credit, so they come after the URLs that do.
--
-- The verdict of a visit: a failure is wrong. So is a page whose text another speculative link of the host had, because many sites answer every
-- address with the same page. A redirect proves nothing if its target is new: the target is a speculative link in its place. If the target
-- was known, the speculative link brought nothing and was wrong. A forbidden visit proves nothing either.

local MOST_SPEC_BUDGET = 64
-- Most speculative links that a host keeps for later. Further ones are skipped, unless a real link leads to them.
local DEFERRED_LIMIT = 10000
local RULE = 'speculative: only links of low confidence name it, and the speculative budget of its host is used up'
-- Form of a list member: fingerprint, path, depth, redirects, hops, kind, referrer (- for none), pattern.
local DEFERRED = '^(%S+) (%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (.+)$'

local function deferred_key(host)
  return store.key('deferred-speculative:' .. host.name)
end

local function defer(host, link, group)
  local url, referrer = host.name .. link.path, group.referrer
  seen.add(link.fingerprint)
  crawl.count('skipped', 1)
  redis.call('HSET', store.key('deferred'), url, '{"url":' .. cjson.encode(url) .. ',"reason":"low-confidence","rule":"' .. RULE
    .. '","referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
  if host.deferred < DEFERRED_LIMIT then
    redis.call('RPUSH', deferred_key(host), table.concat({ link.fingerprint, link.path, group.depth, group.redirects,
      group.hops, group.kind, referrer == '' and '-' or referrer, link.pattern.text }, ' '))
    host.deferred, host.changed = host.deferred + 1, true
  end
end

-- Queues or defers the speculative links of a group. A known URL is not changed.
function speculative.admit(group)
  local host = hosts.of(group.host)
  for _, link in ipairs(group) do
    if not link.value and not link.ended then
      link.new = true
      crawl.count('discovered', 1)
      if host.spec_pending < host.spec_budget then
        admission.enqueue(host, { link }, group, 0)
      else
        defer(host, link, group)
      end
    end
  end
end

-- Changes the budget of a host by the verdict of a visit.
function speculative.prove(host, is_right)
  host.spec_budget = is_right and math.min(MOST_SPEC_BUDGET, host.spec_budget + 1) or host.spec_budget - 1
  host.changed = true
end

-- Is the digest of an answer new among the host's speculative links? '' means no text, which always counts as new.
function speculative.is_first_answer(host, digest)
  return digest == '' or redis.call('SADD', store.key('answers'), host.name .. ' ' .. digest) == 1
end

-- Queues deferred links while there are places. A link that a real link has queued meanwhile is dropped.
local function fill_places(host)
  while host.deferred > 0 and host.spec_pending < host.spec_budget do
    local fingerprint, path, depth, redirects, hops, kind, referrer, pattern =
      string.match(redis.call('LPOP', deferred_key(host)), DEFERRED)
    host.deferred, host.changed = host.deferred - 1, true
    if admission.undefer(host.name .. path, fingerprint) then
      local group = { depth = tonumber(depth), redirects = tonumber(redirects), hops = tonumber(hops), kind = kind }
      group.referrer = referrer == '-' and '' or referrer
      local link = { path = path, slot = shards.slot_of(fingerprint), pattern = patterns.of(host, { pattern })[1] }
      admission.enqueue(host, { link }, group, 0)
    end
  end
end

-- Fills the free places of all hosts of this call.
function speculative.fill_places()
  for _, host in pairs(hosts.loaded) do
    fill_places(host)
  end
end
