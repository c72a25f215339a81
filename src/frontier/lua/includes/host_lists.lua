-- The lists of hosts, each a ZSET by the host's name: `due` of those that may be leased from, `ready` of those that are due (lease.lua), `load` of
-- the most loaded, `used-up` of those at the host limit (host_limit.lua), `awaiting-dns` of those without an address.

local function may_lease(host)
  return host.priority ~= hosts.NOTHING and host.leased < host.slots and host.awaiting_dns == 0 and host.status == hosts.AVAILABLE
    and host.limit_state == host_limit.FREE
end

-- The most loaded hosts are shown. `load` has the number of bits of how many entries each may still visit. Hosts with less than this are not
-- in it, because a member of it takes as much memory as two entries.
local LOADED = 6

local function load_of(host)
  local _, bits = math.frexp(hosts.pending(host) - host_limit.withheld(host))
  return bits < LOADED and 0 or bits
end

-- Remembers in which lists Redis has the host.
function host_lists.remember(host)
  host.was_due = may_lease(host) and host.due or nil
  host.was_ready = host.was_due and host.due <= crawl.state.promoted and host.priority or nil
  host.was_pending, host.was_withheld = hosts.pending(host), host_limit.withheld(host)
  host.was_load, host.was_used_up = load_of(host), host_limit.score(host)
end

-- Of all hosts of a call: what enters each list, as ZADD takes it, and what leaves it.
function host_lists.changes()
  return {
    added = { load = {}, due = {}, ready = {}, ['awaiting-dns'] = {}, ['used-up'] = {} },
    removed = { load = {}, due = {}, ready = {}, ['used-up'] = {} },
  }
end

-- Collects what has changed in the lists that a host stands in.
function host_lists.collect(changes, host)
  local added, removed = changes.added, changes.removed
  local pending = hosts.pending(host)
  if pending == 0 or host.was_pending == 0 then
    crawl.count('unfinished', (pending > 0 and 1 or 0) - (host.was_pending > 0 and 1 or 0))
  end
  local load = load_of(host)
  if load == 0 and host.was_load > 0 then
    store.push(removed.load, host.name)
  elseif load ~= host.was_load then
    store.push(added.load, load, host.name)
  end
  crawl.count('withheld', host_limit.withheld(host) - host.was_withheld)
  local used_up = host_limit.score(host)
  if used_up and used_up ~= host.was_used_up then
    store.push(added['used-up'], used_up, host.name)
  elseif host.was_used_up and not used_up then
    store.push(removed['used-up'], host.name)
  end
  if host.awaiting_dns == 1 and pending > 0 and host.was_pending == 0 then
    store.push(added['awaiting-dns'], crawl.state.clock, host.name)
    crawl.count('awaiting_dns', 1)
  end
  local due = may_lease(host) and host.due or nil
  local ready = due and due <= crawl.state.promoted and host.priority or nil
  if due and due ~= host.was_due then
    store.push(added.due, store.whole(due), host.name)
  elseif host.was_due and not due then
    store.push(removed.due, host.name)
  end
  if ready and ready ~= host.was_ready then
    store.push(added.ready, store.whole(-ready), host.name)
  elseif host.was_ready and not ready then
    store.push(removed.ready, host.name)
  end
end

-- Writes what was collected.
function host_lists.write(changes)
  for list, members in pairs(changes.added) do
    if #members > 0 then
      store.call_with('ZADD', store.key(list), members)
    end
  end
  for list, names in pairs(changes.removed) do
    if #names > 0 then
      store.call_with('ZREM', store.key(list), names)
    end
  end
end
