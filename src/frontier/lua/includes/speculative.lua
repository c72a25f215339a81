-- Speculative links: URLs that only links of low confidence named. A host may have `spec_budget` of them pending at a time: at first
-- FIRST_SPEC_BUDGET, one more for each that proved right, one less for each that proved wrong; so it is never asked for more wrong
-- ones than FIRST_SPEC_BUDGET and the right ones together. What is beyond is held: skipped so far (`deferred`), and queued in the
-- order of arrival when a place comes free. Speculative links take no part in credit, so they come after what does.
-- Needs store, entry, host, seen, admission.
--
-- What a visit proves: `failed` is wrong; so is a page whose text another speculative link of the host had, for many sites answer
-- every address with one and the same page. A redirect proves nothing: where its target is new, that is a speculative link in its
-- place; where it was known, the speculative link brought nothing and was wrong. A visit that was forbidden proves nothing either.

local admit_speculative, prove, is_first_answer, take_up_speculative
do
  local MOST_SPEC_BUDGET = 64
  -- Speculative links that a host keeps for later; what comes after is skipped, unless a real link names it.
  local DEFERRED_LIMIT = 1000
  local RULE = 'speculative: only links of low confidence name it, and the speculative budget of its host is used up'

  local function deferred_key(host)
    return key('deferred-speculative:' .. host.name)
  end

  local DEFERRED = '^(%S+) (%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (.+)$'

  local function defer(host, link, group)
    local url, referrer = host.name .. link.path, group.referrer
    remember(link.fingerprint)
    count('skipped', 1)
    redis.call('HSET', key('deferred'), url, '{"url":' .. cjson.encode(url) .. ',"reason":"low-confidence","rule":"' .. RULE
      .. '","referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
    if host.deferred < DEFERRED_LIMIT then
      redis.call('RPUSH', deferred_key(host), table.concat({ link.fingerprint, link.path, group.depth, group.redirects,
        group.hops, group.kind, referrer == '' and '-' or referrer, link.pattern.text }, ' '))
      host.deferred, host.changed = host.deferred + 1, true
    end
  end

  -- A speculative link changes nothing of what is known already.
  function admit_speculative(group)
    local host = host_of(group.host)
    for _, link in ipairs(group) do
      if not link.value and not link.ended then
        link.new = true
        count('discovered', 1)
        if host.spec_pending < host.spec_budget then
          enqueue(host, { link }, group, 0)
        else
          defer(host, link, group)
        end
      end
    end
  end

  function prove(host, right)
    host.spec_budget = right and math.min(MOST_SPEC_BUDGET, host.spec_budget + 1) or host.spec_budget - 1
    host.changed = true
  end

  -- Whether no other speculative link of the host was answered with this text; '' stands for none, which is like no other.
  function is_first_answer(host, digest)
    return digest == '' or redis.call('SADD', key('answers'), host.name .. ' ' .. digest) == 1
  end

  -- Queues what is held as far as there are places. One that a real link has lifted meanwhile is dropped here.
  local function take_up(host)
    while host.deferred > 0 and host.spec_pending < host.spec_budget do
      local fingerprint, path, depth, redirects, hops, kind, referrer, pattern =
        string.match(redis.call('LPOP', deferred_key(host)), DEFERRED)
      host.deferred, host.changed = host.deferred - 1, true
      if undefer(host.name .. path, fingerprint) then
        local group = { depth = tonumber(depth), redirects = tonumber(redirects), hops = tonumber(hops), kind = kind }
        group.referrer = referrer == '-' and '' or referrer
        local link = { path = path, slot = slot_of(fingerprint), pattern = patterns_of(host, { pattern })[1] }
        enqueue(host, { link }, group, 0)
      end
    end
  end

  function take_up_speculative()
    for _, host in pairs(hosts) do
      take_up(host)
    end
  end
end
