-- Hosts: loaded once in a call, changed in memory, written by flush_hosts: one text each, whole numbers in the order of
-- HOST_FIELDS. Needs store, queue.
--   due       not before this (epoch ms); while a lease is out it is pessimistic
--   floor     what due falls back to when no lease is out: the latest of all that settlements asked for
--   queued    URLs in the shards;  waiting: URLs that wait for another try;  leased: leases that are out
--   delay     between two visits (ms), slots: visits at a time; both as the last settlement said, UNKNOWN before one
--   failures  in a row that blame the host, those of one time counted once;  failed_at: when the last was counted
--   trust     guesses that may be pending at a time;  guesses: that are;  held: length of its list of those for later
--   awaiting  1 until the address of its name is told (it stands in `unaddressed` and not in the due-heap), then 0
--   shards    of its queue;  head: credit of its richest URL, -1 where nothing is queued (first, see lease.lua)
-- A host stands in the due-heap as long as it has something queued and fewer leases out than slots.

local HOST_FIELDS = {
  'head',
  'due',
  'floor',
  'delay',
  'slots',
  'queued',
  'waiting',
  'leased',
  'failures',
  'failed_at',
  'trust',
  'guesses',
  'held',
  'shards',
  'awaiting',
}
local UNKNOWN = -1
-- Guesses of a host that may be pending before any has proved right.
local FIRST_TRUST = 8
local hosts = {}

-- Whether a new host waits for its address.
local FIRST_AWAITING = redis.call('HGET', keys.meta, 'addresses') == 'awaited' and 1 or 0

local function new_host()
  return {
    awaiting = FIRST_AWAITING,
    due = NOW,
    floor = 0,
    delay = UNKNOWN,
    slots = 1,
    queued = 0,
    waiting = 0,
    leased = 0,
    failures = 0,
    failed_at = 0,
    trust = FIRST_TRUST,
    guesses = 0,
    held = 0,
    shards = 1,
    head = -1,
  }
end

local function unpack_host(text)
  local host = {}
  local index = 0
  for number in string.gmatch(text, '%S+') do
    index = index + 1
    host[HOST_FIELDS[index]] = tonumber(number)
  end
  return host
end

local function pack_host(host)
  local numbers = {}
  for index, field in ipairs(HOST_FIELDS) do
    numbers[index] = whole(host[field])
  end
  return table.concat(numbers, ' ')
end

-- `text` where it was read already.
local function host_of(name, text)
  local host = hosts[name]
  if host then
    return host
  end
  text = text or redis.call('HGET', key('hosts'), name)
  host = text and unpack_host(text) or new_host()
  host.name = name
  host.changed = false
  host.raised = {}
  host.recount = {}
  host.pending = host.queued + host.waiting + host.leased
  hosts[name] = host
  return host
end

-- No lease out: what the settlements asked for. Else the pessimistic time stays, if it is the later one.
local function set_due(host)
  if host.leased == 0 then
    host.due = math.max(host.floor, NOW)
  else
    host.due = math.max(host.floor, host.due)
  end
  host.changed = true
end

local function postpone(host, due)
  host.floor = math.max(host.floor, due)
  set_due(host)
end

local function flush_host(host)
  if not host.changed then
    return
  end
  host.changed = false
  redis.call('HSET', key('hosts'), host.name, pack_host(host))
  local pending = host.queued + host.waiting + host.leased
  if pending == 0 then
    redis.call('ZREM', key('load'), host.name)
  elseif pending ~= host.pending then
    redis.call('ZADD', key('load'), pending, host.name)
  end
  host.pending = pending
  if host.awaiting == 1 and pending > 0 then
    redis.call('ZADD', key('unaddressed'), 'NX', whole(NOW), host.name)
  elseif host.queued > 0 and host.leased < host.slots then
    redis.call('ZADD', key('due'), whole(host.due), host.name)
  else
    redis.call('ZREM', key('due'), host.name)
  end
end

local function flush_hosts()
  for _, host in pairs(hosts) do
    flush_heads(host)
    flush_host(host)
  end
end
