-- URLs that were made known ahead of the commit of the page that names them, because they belong to another part of the crawl than that page. The
-- HASH `ahead` has the page of each until its commit is over: a page that is visited again, as its process was killed between the two, still
-- is the one that made them known.

-- Marks the links that are new as made known by a page, and those as new that the same page has made known before.
function ahead.mark(groups, page)
  local marks, known, names = {}, {}, {}
  for _, group in ipairs(groups) do
    for _, link in ipairs(group) do
      local url = group.host .. link.path
      if link.new then
        store.push(marks, url, page)
      else
        store.push(known, link)
        store.push(names, url)
      end
    end
  end
  local found = #names > 0 and redis.call('EXISTS', store.key('ahead')) == 1 and redis.call('HMGET', store.key('ahead'), unpack(names))
  for index, link in ipairs(found and known or {}) do
    link.new = found[index] == page
  end
  store.call_with('HSET', store.key('ahead'), marks)
end
