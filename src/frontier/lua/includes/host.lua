-- Hosts: loaded once in a call, changed in memory, written by flush_hosts. A host is also its common queue, unit number 0
-- (unit.lua). Needs store, page, unit.
--   score     credit of its richest page as the host knew it when it was last looked at; GUESSES where it has nothing but
--             guesses that may be leased, NOTHING where it has none
--   due       not before this (epoch ms); while a lease is out it is pessimistic
--   floor     what due falls back to when no lease is out: the latest of all that settlements asked for
--   queued    pages that may be leased;  waiting: that wait for another try;  leased: leases that are out
--   delay     between two visits (ms), slots: visits at a time; both as the last settlement said, UNKNOWN before one
--   failures  in a row that blame the host, those of one time counted once;  failed_at: when the last was counted
--   trust     guesses that may be pending at a time;  guesses: that are;  held: length of its list of those for later
--   awaiting  1 until the address of its name is told (it stands in `unaddressed`, and in no other list), then 0
--   units     patterns with a queue of their own;  patterns: all that it has
--   seen      level of its domain that its units have been paid up to (credit.lua)
--   server_time  moving mean of what its server takes (ms), UNKNOWN before the first;  pause: what failures have brought (ms)
--   rest      why it stands in no list although it has something: PARKED until its domain has a place, GIVEN_UP in `resting`
--   capped    1 where its domain has had so many pages that others come first
--   address   of its name, '' where none is known: text, behind its domain
-- A host that may be leased from stands in `due`, and in `ready` as well once it is due (lease.lua).

local HOST = {
  format = '>i7I7I7I7I3I4I4I6I6I6i4I2I4I4I2I2i2I2I2BI2I2dI4BB',
  'score',
  'top',
  'level',
  'seen',
  'shards',
  'size',
  'members',
  'due',
  'floor',
  'failed_at',
  'delay',
  'slots',
  'queued',
  'waiting',
  'leased',
  'failures',
  'trust',
  'guesses',
  'held',
  'awaiting',
  'units',
  'patterns',
  'server_time',
  'pause',
  'rest',
  'capped',
}
local UNKNOWN = -1
local PARKED = 1
local GIVEN_UP = 2
local GUESSES = -1
local NOTHING = -2
-- Guesses of a host that may be pending before any has proved right.
local FIRST_TRUST = 8
local hosts

at_each_call(function()
  hosts = {}
end)

local function new_host(name, domain)
  local host = new_unit(nil, 0, nil)
  host.name, host.domain_name, host.score, host.seen = name, domain, NOTHING, 0
  host.due, host.floor, host.failed_at, host.delay, host.slots = books.clock, 0, 0, UNKNOWN, 1
  host.queued, host.waiting, host.leased, host.failures = 0, 0, 0, 0
  host.trust, host.guesses, host.held = FIRST_TRUST, 0, 0
  host.awaiting = SETTINGS[2] == 'awaited' and 1 or 0
  host.units, host.patterns = 0, 0
  host.server_time, host.pause, host.rest, host.capped, host.address = UNKNOWN, 0, 0, 0, ''
  return host
end

local function may_lease(host)
  return host.score ~= NOTHING and host.leased < host.slots and host.awaiting == 0 and host.rest == 0
end

local function pending(host)
  return host.queued + host.waiting + host.leased
end

-- How Redis knows it: what need not be written again.
local function remember_lists(host)
  host.was_due = may_lease(host) and host.due or nil
  host.was_ready = host.was_due and host.due <= books.promoted and host.score or nil
  host.was_pending = pending(host)
end

local function known_host(name, packed)
  local host, text_at = unpack_record(HOST, packed)
  host.name = name
  host.domain_name, host.address = string.match(packed, '^(%S*) ?(%S*)$', text_at)
  host.number, host.pot, host.writes, host.raised = 0, 0, {}, {}
  return host
end

-- `domain` is needed where the host may be new.
local function host_of(name, domain)
  local host = hosts[name]
  if not host then
    local packed = redis.call('GET', key('host:' .. name))
    host = packed and known_host(name, packed) or new_host(name, domain)
    host.host, host.loaded, host.is_new = host, { [0] = host }, not packed
    remember_lists(host)
    hosts[name] = host
  end
  return host
end

-- Host of a URL, by name.
local function host_name_of(url)
  return string.sub(url, 1, string.find(url, '/', 9, true) - 1)
end

local function units_key(host)
  return key('units:' .. host.name)
end

local function known_unit(host, number, packed)
  local unit, text_at = unpack_record(UNIT, packed)
  unit.host, unit.number, unit.pattern, unit.writes, unit.raised = host, number, string.sub(packed, text_at), {}, {}
  host.loaded[number] = unit
  return unit
end

local function unit_of(host, number)
  return host.loaded[number] or known_unit(host, number, redis.call('HGET', units_key(host), number))
end

local function load_all_units(host)
  local packed = redis.call('HGETALL', units_key(host))
  for index = 1, #packed, 2 do
    local number = tonumber(packed[index])
    if not host.loaded[number] then
      known_unit(host, number, packed[index + 1])
    end
  end
end

-- No lease out: what the settlements asked for. Else the pessimistic time stays, if it is the later one.
local function set_due(host)
  host.due = math.max(host.floor, host.leased == 0 and books.clock or host.due)
  host.changed = true
end

local function postpone(host, due)
  host.floor = math.max(host.floor, due)
  set_due(host)
end

-- Credit of the richest page of a unit that may be leased, or GUESSES, or NOTHING.
local function worth(unit)
  if unit.closed == 1 then
    return NOTHING
  end
  if unit.top <= GUESS then
    return unit.top == GUESS and GUESSES or NOTHING
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

-- Writes the units of a host that have changed. With more than one the ZSET `tops` has minus the worth of each.
local function flush_units(host)
  local records, tops = {}, {}
  for number, unit in pairs(host.loaded) do
    if unit.changed then
      unit.changed = false
      host.changed = true
      flush_unit(unit)
      if number > 0 then
        records[#records + 1] = number
        records[#records + 1] = pack_record(UNIT, unit) .. unit.pattern
      end
      if host.units > 0 and worth(unit) == NOTHING then
        redis.call('ZREM', key('tops:' .. host.name), number)
      else
        tops[#tops + 1] = whole(-worth(unit))
        tops[#tops + 1] = number
      end
    end
  end
  host.score = worth(host)
  if host.units > 0 then
    call_with('HSET', units_key(host), records)
    call_with('ZADD', key('tops:' .. host.name), tops)
    host.score = -tonumber(redis.call('ZRANGE', key('tops:' .. host.name), 0, 0, 'WITHSCORES')[2] or -NOTHING)
  end
  if host.capped == 1 and host.score ~= NOTHING then
    host.score = host.score - CAPPED
  end
end

-- The second one is left out where there is none.
local function push(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

-- What of the lists that a host stands in has changed.
local function enlist(host, added, removed)
  if pending(host) == 0 then
    push(removed.load, host.name)
  elseif pending(host) ~= host.was_pending then
    push(added.load, pending(host), host.name)
  end
  if host.awaiting == 1 and pending(host) > 0 and host.was_pending == 0 then
    push(added.unaddressed, whole(books.clock), host.name)
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

local function flush_hosts()
  local records = {}
  local added = { load = {}, due = {}, ready = {}, unaddressed = {} }
  local removed = { load = {}, due = {}, ready = {} }
  for name, host in pairs(hosts) do
    if has_changed(host) then
      flush_units(host)
      host.changed = false
      push(records, key('host:' .. name), pack_record(HOST, host) .. host.domain_name .. ' ' .. host.address)
      enlist(host, added, removed)
      remember_lists(host)
    end
  end
  set_all(records)
  for list, entries in pairs(added) do
    call_with('ZADD', key(list), entries)
  end
  for list, names in pairs(removed) do
    call_with('ZREM', key(list), names)
  end
end
