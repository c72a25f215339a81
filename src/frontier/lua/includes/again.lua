-- Second visits: of URLs that were visited in a way that proved wrong since, as pages that were only read and whose like then turned out to need a
-- browser. Such a URL is taken out of the seen set and queued once more, without credit, in the common queue of its host. It stays counted as
-- visited, and its second visit counts for no limit, no budget and no domain. Its entry says by its kind that it is one (entries.lua). The HASH `recorded`
-- has hashes of links that its first visit recorded, as far as it was given them, until the second one is over.

-- Queues the URLs of a group that have ended. One that is pending, was skipped so far, or is not known stays as it is. `recorded` has hashes by URLs.
-- Returns how many were queued.
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

-- How a lease says that an entry is a second visit; empty where it is not.
function again.mark(entry, url)
  return entries.again(entry) == 0 and '' or '+' .. (redis.call('HGET', store.key('recorded'), url) or '')
end

-- A second visit is over.
function again.forget(url)
  redis.call('HDEL', store.key('recorded'), url)
end
