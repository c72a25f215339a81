-- Second visits, for URLs whose first visit proved inadequate, such as pages that were only read although similar pages turned out to need a
-- browser. The URL leaves the seen set and is queued again, without credit, in the common queue of its host. It stays counted as
-- visited, and its second visit counts for no limit, no budget and no domain. The kind of its entry marks it (entries.lua). The HASH `recorded`
-- holds hashes of links that the first visit recorded, as far as they are given, until the second one is over.

-- Queues the URLs of a group that have ended. A URL that is pending, deferred, or unknown stays as it is. `recorded` has hashes by URL.
-- Returns the number queued.
function again.queue(group, recorded)
  local host, coming = hosts.of(group.host), {}
  credit.collect(host)
  for _, link in ipairs(group) do
    if link.ended and redis.call('HEXISTS', store.key('deferred'), group.host .. link.path) == 0 then
      seen.remove(link.fingerprint)
      coming[#coming + 1] = link
      local hashes = recorded[group.host .. link.path]
      if hashes then
        redis.call('HSET', store.key('recorded'), group.host .. link.path, hashes)
      end
    end
  end
  group.kind = entries.kind_again(group.kind)
  admission.enqueue(host, coming, group, 0)
  return #coming
end

-- Mark in a lease of a second visit; empty for a first visit.
function again.mark(entry, url)
  return entries.again(entry) == 0 and '' or '+' .. (redis.call('HGET', store.key('recorded'), url) or '')
end

-- A second visit is over.
function again.forget(url)
  redis.call('HDEL', store.key('recorded'), url)
end
