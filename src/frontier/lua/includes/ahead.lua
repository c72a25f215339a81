-- URLs made known ahead of the commit of the page that names them, because they belong to another part of the crawl than the page. The
-- HASH `ahead` maps each to that page until its commit is over: if the page's process is killed in between and the page is visited again, it
-- still counts as the one that made them known.

-- Records the page for links that are new, and marks links as new that the same page made known before.
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
