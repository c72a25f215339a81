-- Promotes hosts and URLs that become due as time passes.

-- Adds hosts that have become due since the last call to `ready`. `promoted` is a table with the time of that call, which becomes that of this one.
-- Returns the URLs that waited for another try, which leave the list.
local function promote(promoted, suffix)
  local due = redis.call('ZRANGEBYSCORE', store.key('due' .. suffix), '(' .. store.whole(promoted.promoted), crawl.state.clock)
  promoted.promoted = crawl.state.clock
  local names, retries, ready = {}, {}, {}
  for _, member in ipairs(due) do
    store.push(leases.is_waiting(member) and retries or names, member)
  end
  for _, name in ipairs(names) do
    local host = hosts.loaded[name]
    local _, priority = 0, host and host.priority
    if not host then
      _, priority = cmsgpack.unpack_one(redis.call('GET', store.key('host:' .. name)))
    end
    store.push(ready, store.whole(-priority), name)
  end
  store.call_with('ZADD', store.key('ready' .. suffix), ready)
  store.call_with('ZREM', store.key('due' .. suffix), retries)
  return retries
end

-- Promotes due hosts to `ready`, per egress address too, and URLs that waited for another try to their queues.
function promotion.promote()
  for _, egress in ipairs(egresses.apart) do
    promote(egress, egress.suffix)
  end
  for _, member in ipairs(promote(crawl.state, '')) do
    leases.wake(member)
  end
  hosts.flush()
end
