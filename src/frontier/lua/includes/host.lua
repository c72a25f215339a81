-- Hosts: loaded once in a call, changed in memory, written by flush_hosts. A host is also its common queue, queue number 0
-- (queue.lua). Needs store, entry, queue.
--   score     credit of its page of the highest priority as the host knew it when it was last looked at; SPECULATIVE_ONLY where it has nothing but
--             speculative links that may be leased, NOTHING where it has none
--   due       not before this (epoch ms); while a lease is out it is pessimistic
--   floor     what due falls back to when no lease is out: the latest of all that commits asked for
--   queued    pages that may be leased;  waiting: that wait for another try;  leased: leases that are out
--   delay     between two visits (ms), slots: visits at a time; both as the last commit said, UNKNOWN before one
--   failures  in a row that blame the host, those of one time counted once;  failed_at: when the last was counted
--   spec_budget  speculative links that may be pending at a time;  spec_pending: that are;  held: length of its list of those for later
--   awaiting  1 until the address of its name is told (it stands in `unaddressed`, and in no other list), then 0
--   queues     patterns with a queue of their own;  patterns: all that it has
--   seen      dividend index of its domain that its queues have been paid up to (credit.lua)
--   server_time  moving mean of what its server takes (ms), UNKNOWN before the first;  pause: what failures have brought (ms)
--   rest      why it stands in no list although it has something: THROTTLED until its domain has a place, CIRCUIT_OPEN in `resting`
--   capped    1 where its domain has had so many pages that others come first
--   address   of its name, '' where none is known
--   id        its number, for names of keys
--   own       priority of the highest priority of its queues that have a queue of their own, NOTHING where there is none; own_unit: its number
-- A host that may be leased from stands in `due`, and in `ready` as well once it is due (lease.lua).

--- @record host priority top dividend_index collected_index shards size members head due floor failed_at delay slots queued waiting leased failures spec_budget spec_pending
--- @record host deferred awaiting_dns pattern_queues patterns server_time pause status capped id best_priority best_queue remainder domain_name address
--- @record host | name host number names place prefix full writes raised changed has_collected loaded is_new known was_pattern_queues was_due was_ready was_pending

local UNKNOWN = -1
local THROTTLED = 1
local CIRCUIT_OPEN = 2
local SPECULATIVE_ONLY = -1
local NOTHING = -2
-- Speculative links of a host that may be pending before any has proved right.
local FIRST_SPEC_BUDGET = 8
local hosts

at_each_call(function()
  hosts = {}
end)

local function new_host(name, domain)
  local host = new_queue(nil, 0, nil)
  host.name, host.domain_name, host.priority, host.collected_index = name, domain, NOTHING, 0
  host.due, host.floor, host.failed_at, host.delay, host.slots = state.clock, 0, 0, UNKNOWN, 1
  host.queued, host.waiting, host.leased, host.failures = 0, 0, 0, 0
  host.spec_budget, host.spec_pending, host.deferred, host.awaiting_dns = FIRST_SPEC_BUDGET, 0, 0, state.awaits_dns
  host.pattern_queues, host.patterns, host.best_priority, host.best_queue = 0, 0, NOTHING, 0
  host.server_time, host.pause, host.status, host.capped, host.address = UNKNOWN, 0, 0, 0, ''
  count('hosts', 1)
  host.id = state.hosts
  return host
end

local function may_lease(host)
  return host.priority ~= NOTHING and host.leased < host.slots and host.awaiting_dns == 0 and host.status == 0
end

local function pending(host)
  return host.queued + host.waiting + host.leased
end

-- How Redis knows it: what need not be written again.
local function remember_lists(host)
  host.was_due = may_lease(host) and host.due or nil
  host.was_ready = host.was_due and host.due <= state.promoted and host.priority or nil
  host.was_pending = pending(host)
end

-- As it is stored; false where it is new, then its domain is needed.
local function known_host(name, packed, domain)
  local host = packed and unpack_host(packed) or new_host(name, domain)
  host.name, host.host, host.number, host.is_new, host.was_pattern_queues = name, host, 0, not packed, host.pattern_queues
  host.loaded = { [0] = host }
  remember_lists(host)
  hosts[name] = host
  return host
end

-- `domain` is needed where the host may be new.
local function host_of(name, domain)
  return hosts[name] or known_host(name, redis.call('GET', key('host:' .. name)), domain)
end

-- Host of a URL, by name.
local function host_name_of(url)
  return string.sub(url, 1, string.find(url, '/', 9, true) - 1)
end

local function patterns_key(host)
  return key('patterns:' .. host.id)
end

local function known_queue(host, number, packed)
  local queue = unpack_queue(packed)
  queue.host, queue.number = host, number
  host.loaded[number] = queue
  return queue
end

local function queue_of(host, number)
  return host.loaded[number] or known_queue(host, number, redis.call('HGET', patterns_key(host), number))
end

local function load_queues(host)
  for number = 1, host.pattern_queues do
    queue_of(host, number)
  end
end

-- No lease out: what the commits asked for. Else the pessimistic time stays, if it is the later one.
local function set_due(host)
  host.due = math.max(host.floor, host.leased == 0 and state.clock or host.due)
  host.changed = true
end

local function postpone(host, due)
  host.floor = math.max(host.floor, due)
  set_due(host)
end

-- Credit of the page of the highest priority of a queue that may be leased, or SPECULATIVE_ONLY, or NOTHING.
local function priority_of(queue)
  if queue.over_budget == 1 then
    return NOTHING
  end
  if queue.top <= SPECULATIVE then
    return queue.top == SPECULATIVE and SPECULATIVE_ONLY or NOTHING
  end
  return queue.top - BIAS + queue.dividend_index
end

local function has_changed(host)
  for _, queue in pairs(host.loaded) do
    if queue.changed then
      return true
    end
  end
  return false
end

-- Puts a host behind all that are not capped.
local CAPPED = 2 ^ 53

-- With more than one queue that has a queue of its own the ZSET `tops` has minus the priority of each.
local function rank_queues(host, ranks)
  local priorities = key('priorities:' .. host.id)
  if host.was_pattern_queues == 1 and host.best_priority ~= NOTHING and not ranks[1] then
    ranks[1] = host.best_priority
  end
  local list = {}
  for number, value in pairs(ranks) do
    if value == NOTHING then
      redis.call('ZREM', priorities, number)
    else
      push(list, whole(-value), number)
    end
  end
  call_with('ZADD', priorities, list)
  local best, value = unpack(redis.call('ZRANGE', priorities, 0, 0, 'WITHSCORES'))
  host.best_queue, host.best_priority = tonumber(best or 0), -tonumber(value or -NOTHING)
end

-- Writes the queues of a host that have changed.
local function flush_queues(host)
  local records, ranks = nil, nil
  for number, queue in pairs(host.loaded) do
    if queue.changed then
      queue.changed, host.changed = false, true
      flush_queue(queue)
      if number > 0 then
        records, ranks = records or {}, ranks or {}
        push(records, number, pack_queue(queue))
        ranks[number] = priority_of(queue)
      end
    end
  end
  if records then
    call_with('HSET', patterns_key(host), records)
    if host.pattern_queues > 1 then
      rank_queues(host, ranks)
    else
      host.best_queue, host.best_priority = 1, ranks[1]
    end
    host.was_pattern_queues = host.pattern_queues
  end
  host.priority = math.max(priority_of(host), host.best_priority)
  if host.capped == 1 and host.priority ~= NOTHING then
    host.priority = host.priority - CAPPED
  end
end

-- The most loaded hosts are shown: `load` has how many pages each has, as the number of its bits, and of those that have few nothing, for a
-- place in it takes as much memory as two pages.
local LOADED = 6

local function load_of(entries)
  local _, bits = math.frexp(entries)
  return bits < LOADED and 0 or bits
end

-- What of the lists that a host stands in has changed.
local function enlist(host, added, removed)
  local entries = pending(host)
  if entries == 0 or host.was_pending == 0 then
    count('unfinished', (entries > 0 and 1 or 0) - (host.was_pending > 0 and 1 or 0))
  end
  local load, was_load = load_of(entries), load_of(host.was_pending)
  if load == 0 and was_load > 0 then
    push(removed.load, host.name)
  elseif load ~= was_load then
    push(added.load, load, host.name)
  end
  if host.awaiting_dns == 1 and entries > 0 and host.was_pending == 0 then
    push(added['awaiting-dns'], state.clock, host.name)
    count('awaiting_dns', 1)
  end
  local due = may_lease(host) and host.due or nil
  local ready = due and due <= state.promoted and host.priority or nil
  if due and due ~= host.was_due then
    push(added.due, whole(due), host.name)
  elseif host.was_due and not due then
    push(removed.due, host.name)
  end
  if ready and ready ~= host.was_ready then
    push(added.ready, whole(-ready), host.name)
  elseif host.was_ready and not ready then
    push(removed.ready, host.name)
  end
end

local function any_host_has_changed()
  for _, host in pairs(hosts) do
    if has_changed(host) then
      return true
    end
  end
  return false
end

local function flush_hosts()
  if not any_host_has_changed() then
    return
  end
  local added = { load = {}, due = {}, ready = {}, ['awaiting-dns'] = {} }
  local removed = { load = {}, due = {}, ready = {} }
  for name, host in pairs(hosts) do
    if has_changed(host) then
      flush_queues(host)
      host.changed = false
      set(key('host:' .. name), pack_host(host))
      enlist(host, added, removed)
      remember_lists(host)
    end
  end
  for list, entries in pairs(added) do
    if #entries > 0 then
      call_with('ZADD', key(list), entries)
    end
  end
  for list, names in pairs(removed) do
    if #names > 0 then
      call_with('ZREM', key(list), names)
    end
  end
end
