-- Hosts: loaded once in a call, changed in memory, written by flush_hosts. A host is also its common queue, unit number 0
-- (unit.lua). Needs store, page, unit.
--   score     credit of its richest page as the host knew it when it was last looked at; SPECULATIVE_ONLY where it has nothing but
--             speculative links that may be leased, NOTHING where it has none
--   due       not before this (epoch ms); while a lease is out it is pessimistic
--   floor     what due falls back to when no lease is out: the latest of all that commits asked for
--   queued    pages that may be leased;  waiting: that wait for another try;  leased: leases that are out
--   delay     between two visits (ms), slots: visits at a time; both as the last commit said, UNKNOWN before one
--   failures  in a row that blame the host, those of one time counted once;  failed_at: when the last was counted
--   spec_budget  speculative links that may be pending at a time;  spec_pending: that are;  held: length of its list of those for later
--   awaiting  1 until the address of its name is told (it stands in `unaddressed`, and in no other list), then 0
--   units     patterns with a queue of their own;  patterns: all that it has
--   seen      level of its domain that its units have been paid up to (credit.lua)
--   server_time  moving mean of what its server takes (ms), UNKNOWN before the first;  pause: what failures have brought (ms)
--   rest      why it stands in no list although it has something: PARKED until its domain has a place, GIVEN_UP in `resting`
--   capped    1 where its domain has had so many pages that others come first
--   pages     that count for the limit of a host;  quota: TAKEN where leases and other tries take what the limit leaves, SPENT where it
--             leaves nothing: the host stands in `spent` then, as long as something is queued (host-limit.lua)
--   address   of its name, '' where none is known
--   id        its number, for names of keys
--   own       worth of the richest of its units that have a queue of their own, NOTHING where there is none; own_unit: its number
-- A host that may be leased from stands in `due`, and in `ready` as well once it is due (lease.lua).

--- @record host score top level seen shards size members head due floor failed_at delay slots queued waiting leased failures spec_budget spec_pending
--- @record host held awaiting units patterns server_time pause rest capped id own own_unit pot domain_name address pages quota
--- @record host | name host number names place prefix full writes raised changed was_paid loaded is_new known was_units was_due was_ready was_pending was_load was_spent

local UNKNOWN = -1
local PARKED = 1
local GIVEN_UP = 2
-- What the limit of pages leaves a host, see host-limit.lua.
local quota = { TAKEN = 1, SPENT = 2 }
local SPECULATIVE_ONLY = -1
local NOTHING = -2
-- Speculative links of a host that may be pending before any has proved right.
local FIRST_SPEC_BUDGET = 8
local hosts

at_each_call(function()
  hosts = {}
end)

local function new_host(name, domain)
  local host = new_unit(nil, 0, nil)
  host.name, host.domain_name, host.score, host.seen = name, domain, NOTHING, 0
  host.due, host.floor, host.failed_at, host.delay, host.slots = books.clock, 0, 0, UNKNOWN, 1
  host.queued, host.waiting, host.leased, host.failures = 0, 0, 0, 0
  host.spec_budget, host.spec_pending, host.held, host.awaiting = FIRST_SPEC_BUDGET, 0, 0, books.awaited
  host.units, host.patterns, host.own, host.own_unit = 0, 0, NOTHING, 0
  host.server_time, host.pause, host.rest, host.capped, host.address = UNKNOWN, 0, 0, 0, ''
  host.pages, host.quota = 0, 0
  count('hosts', 1)
  host.id = books.hosts
  return host
end

local function may_lease(host)
  return host.score ~= NOTHING and host.leased < host.slots and host.awaiting == 0 and host.rest == 0 and host.quota == 0
end

local function pending(host)
  return host.queued + host.waiting + host.leased
end

-- Whether the visited, the leased and those that wait for another try are as many pages as the limit allows.
function quota.has_no_place(host)
  return books.host_limit > 0 and host.pages + host.leased + host.waiting >= books.host_limit
end

-- The most loaded hosts are shown: `load` has how many pages each has, as the number of its bits, and of those that have few nothing, for a
-- place in it takes as much memory as two pages. What a spent host has is nothing to do.
local load_of
do
  local LOADED = 6

  function load_of(host)
    local _, bits = math.frexp(host.quota == quota.SPENT and 0 or pending(host))
    return bits < LOADED and 0 or bits
  end
end

-- Its score in `spent`; nil where it does not stand there.
function quota.spent_score(host)
  return host.quota == quota.SPENT and host.queued > 0 and host.pages or nil
end

-- How Redis knows it: what need not be written again.
local function remember_lists(host)
  host.was_due = may_lease(host) and host.due or nil
  host.was_ready = host.was_due and host.due <= books.promoted and host.score or nil
  host.was_pending, host.was_load, host.was_spent = pending(host), load_of(host), quota.spent_score(host)
end

-- As it is stored; false where it is new, then its domain is needed.
local function known_host(name, packed, domain)
  local host = packed and unpack_host(packed) or new_host(name, domain)
  host.name, host.host, host.number, host.is_new, host.was_units = name, host, 0, not packed, host.units
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

local function units_key(host)
  return key('units:' .. host.id)
end

local function known_unit(host, number, packed)
  local unit = unpack_unit(packed)
  unit.host, unit.number = host, number
  host.loaded[number] = unit
  return unit
end

local function unit_of(host, number)
  return host.loaded[number] or known_unit(host, number, redis.call('HGET', units_key(host), number))
end

local function load_all_units(host)
  for number = 1, host.units do
    unit_of(host, number)
  end
end

-- No lease out: what the commits asked for. Else the pessimistic time stays, if it is the later one.
local function set_due(host)
  host.due = math.max(host.floor, host.leased == 0 and books.clock or host.due)
  host.changed = true
end

local function postpone(host, due)
  host.floor = math.max(host.floor, due)
  set_due(host)
end

-- Credit of the richest page of a unit that may be leased, or SPECULATIVE_ONLY, or NOTHING.
local function worth(unit)
  if unit.closed == 1 then
    return NOTHING
  end
  if unit.top <= SPECULATIVE then
    return unit.top == SPECULATIVE and SPECULATIVE_ONLY or NOTHING
  end
  return unit.top - BIAS + unit.level
end

local function has_changed(host)
  for _, unit in pairs(host.loaded) do
    if unit.changed then
      return true
    end
  end
  return false
end

-- Puts a host behind all that are not capped.
local CAPPED = 2 ^ 53

-- With more than one unit that has a queue of its own the ZSET `tops` has minus the worth of each.
local function rank_units(host, ranks)
  local tops = key('tops:' .. host.id)
  if host.was_units == 1 and host.own ~= NOTHING and not ranks[1] then
    ranks[1] = host.own
  end
  local list = {}
  for number, value in pairs(ranks) do
    if value == NOTHING then
      redis.call('ZREM', tops, number)
    else
      push(list, whole(-value), number)
    end
  end
  call_with('ZADD', tops, list)
  local best, value = unpack(redis.call('ZRANGE', tops, 0, 0, 'WITHSCORES'))
  host.own_unit, host.own = tonumber(best or 0), -tonumber(value or -NOTHING)
end

-- Writes the units of a host that have changed.
local function flush_units(host)
  local records, ranks = nil, nil
  for number, unit in pairs(host.loaded) do
    if unit.changed then
      unit.changed, host.changed = false, true
      flush_unit(unit)
      if number > 0 then
        records, ranks = records or {}, ranks or {}
        push(records, number, pack_unit(unit))
        ranks[number] = worth(unit)
      end
    end
  end
  if records then
    call_with('HSET', units_key(host), records)
    if host.units > 1 then
      rank_units(host, ranks)
    else
      host.own_unit, host.own = 1, ranks[1]
    end
    host.was_units = host.units
  end
  host.score = math.max(worth(host), host.own)
  if host.capped == 1 and host.score ~= NOTHING then
    host.score = host.score - CAPPED
  end
end

-- What of the lists that a host stands in has changed.
local function enlist(host, added, removed)
  local pages = pending(host)
  if pages == 0 or host.was_pending == 0 then
    count('unfinished', (pages > 0 and 1 or 0) - (host.was_pending > 0 and 1 or 0))
  end
  local load = load_of(host)
  if load == 0 and host.was_load > 0 then
    push(removed.load, host.name)
  elseif load ~= host.was_load then
    push(added.load, load, host.name)
  end
  local spent = quota.spent_score(host)
  if spent and spent ~= host.was_spent then
    push(added.spent, spent, host.name)
  elseif host.was_spent and not spent then
    push(removed.spent, host.name)
  end
  if host.awaiting == 1 and pages > 0 and host.was_pending == 0 then
    push(added.unaddressed, books.clock, host.name)
    count('unaddressed', 1)
  end
  local due = may_lease(host) and host.due or nil
  local ready = due and due <= books.promoted and host.score or nil
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
  local added = { load = {}, due = {}, ready = {}, unaddressed = {}, spent = {} }
  local removed = { load = {}, due = {}, ready = {}, spent = {} }
  for name, host in pairs(hosts) do
    if has_changed(host) then
      flush_units(host)
      if quota.weigh(host) then
        flush_units(host)
      end
      host.changed = false
      if host.quota ~= quota.SPENT then
        host.quota = quota.has_no_place(host) and quota.TAKEN or 0
      end
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
