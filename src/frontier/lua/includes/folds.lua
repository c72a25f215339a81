-- Folded URLs differ from a visited page only in parameters that change nothing, as far as is known (core/folding). They are skipped so
-- far, like other `deferred` URLs. Each is also stored under its fold with its candidate fields: all URLs of a fold are queued together.

-- Form of a value: fingerprint, depth, redirects, hops, kind, referrer (- for none), pattern.
local WAY = '^(%S+) (%d+) (%d+) (%d+) (%S+) (%S+) (.+)$'

local function folded_key(fold)
  return store.key('folded:' .. fold)
end

-- Has a fold proved wrong?
function folds.is_undone(fold)
  return redis.call('SISMEMBER', store.key('unfolded'), fold) == 1
end

-- Skips a URL so far. `way` has its depth, redirects, hops, kind and referrer.
function folds.keep(fold, url, link, way)
  seen.add(link.fingerprint)
  crawl.count('skipped', 1)
  redis.call('HSET', store.key('deferred'), url, link.record)
  redis.call('HSET', folded_key(fold), url, table.concat({ link.fingerprint, way.depth, way.redirects, way.hops, way.kind,
    way.referrer == '' and '-' or way.referrer, link.pattern.text }, ' '))
end

-- Folds the URLs of a group, or queues them if the fold has proved wrong. A known URL stays as it is.
function folds.admit(group)
  local host = hosts.of(group.host)
  for _, link in ipairs(group) do
    if not link.value and not link.ended then
      link.new = true
      crawl.count('discovered', 1)
      if folds.is_undone(link.reason) then
        admission.enqueue(host, { link }, group, 0)
      else
        folds.keep(link.reason, group.host .. link.path, link, group)
      end
    end
  end
end

local function queue_again(url, value)
  local fingerprint, depth, redirects, hops, kind, referrer, pattern = string.match(value, WAY)
  if not admission.undefer(url, fingerprint) then
    return 0
  end
  local host = hosts.of(hosts.name_of(url))
  credit.collect(host)
  local group = { depth = tonumber(depth), redirects = tonumber(redirects), hops = tonumber(hops), kind = kind }
  group.referrer = referrer == '-' and '' or referrer
  local link = { path = string.sub(url, #host.name + 1), slot = shards.slot_of(fingerprint), pattern = patterns.of(host, { pattern })[1] }
  admission.enqueue(host, { link }, group, 0)
  return 1
end

-- Queues at most `count` URLs of a fold that proved wrong. Returns the number queued and the number left.
function folds.undo(fold, count)
  redis.call('SADD', store.key('unfolded'), fold)
  local found, back = redis.call('HRANDFIELD', folded_key(fold), count, 'WITHVALUES'), 0
  for index = 1, #found, 2 do
    redis.call('HDEL', folded_key(fold), found[index])
    back = back + queue_again(found[index], found[index + 1])
  end
  return back, redis.call('HLEN', folded_key(fold))
end
