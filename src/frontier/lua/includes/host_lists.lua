-- The lists of hosts, each a ZSET by host name: `due` of hosts that may be leased from, `ready` of due hosts (lease.lua), `load` of
-- the most loaded, `used-up` of those at the host limit (host_limit.lua), `awaiting-dns` of those without an address. Where politeness counts per
-- egress address, `due` and `ready` have the times that the hosts themselves allow, and each address has its own two lists.

local function may_lease(host)
  return host.priority ~= hosts.NOTHING and (host.paces or host.leased < host.slots) and host.awaiting_dns == 0
    and host.status == hosts.AVAILABLE and host.limit_state == host_limit.FREE
end

-- Due time of a host for an egress address, and its priority if it is due; nil where it may not be leased from.
local function paced(host, egress)
  local pace = host.paces[egress.number]
  if may_lease(host) and (not pace or pace.leased < host.slots and pace.status == hosts.AVAILABLE) then
    local due = math.max(host.due, pace and pace.due or 0)
    return due, due <= egress.promoted and host.priority or nil
  end
end

-- Least score of a host in `load`, the list for displaying the most loaded hosts. The score is the bit length of the number of entries that may still
-- be visited. Hosts below it are left out, because a member takes as much memory as two entries.
local LOADED = 6

local function load_of(host)
  local first, second = host_limit.withheld(host)
  local _, bits = math.frexp(hosts.pending(host) - first - second)
  return bits < LOADED and 0 or bits
end

-- Remembers the host's scores in the lists of Redis.
function host_lists.remember(host)
  host.was_due = may_lease(host) and host.due or nil
  host.was_ready = host.was_due and host.due <= crawl.state.promoted and host.priority or nil
  host.was_pending = hosts.pending(host)
  host.was_withheld, host.was_withheld_again = host_limit.withheld(host)
  host.was_load, host.was_used_up = load_of(host), host_limit.score(host)
  host.was_paced = host.paces and {}
  for _, egress in ipairs(host.paces and egresses.apart or {}) do
    host.was_paced[egress.number] = { paced(host, egress) }
  end
end

-- Collected changes for all hosts of a call: added members of each list, as ZADD takes them, and removed ones.
function host_lists.changes()
  local changes = {
    added = { load = {}, due = {}, ready = {}, ['awaiting-dns'] = {}, ['used-up'] = {} },
    removed = { load = {}, due = {}, ready = {}, ['used-up'] = {} },
  }
  for _, egress in ipairs(egresses.apart) do
    for _, list in ipairs({ 'due' .. egress.suffix, 'ready' .. egress.suffix }) do
      changes.added[list], changes.removed[list] = {}, {}
    end
  end
  return changes
end

-- Collects the changes in the two lists of an egress address.
local function collect_paced(changes, host, egress)
  local due, ready = paced(host, egress)
  local was_due, was_ready = unpack(host.was_paced[egress.number] or {}, 1, 2)
  local due_list, ready_list = 'due' .. egress.suffix, 'ready' .. egress.suffix
  if due and due ~= was_due then
    store.push(changes.added[due_list], store.whole(due), host.name)
  elseif was_due and not due then
    store.push(changes.removed[due_list], host.name)
  end
  if ready and ready ~= was_ready then
    store.push(changes.added[ready_list], store.whole(-ready), host.name)
  elseif was_ready and not ready then
    store.push(changes.removed[ready_list], host.name)
  end
end

-- Collects the changes in all lists of a host.
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
  local withheld, withheld_again = host_limit.withheld(host)
  crawl.count('withheld', withheld - host.was_withheld)
  crawl.count('withheld_again', withheld_again - host.was_withheld_again)
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
  for _, egress in ipairs(host.paces and egresses.apart or {}) do
    collect_paced(changes, host, egress)
  end
end

-- Writes the collected changes.
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
