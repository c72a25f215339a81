-- Hosts: loaded once in a call, changed in memory, written by flush_hosts. Needs store.
--   due       not before this (epoch ms); while a lease is out it is pessimistic
--   floor     what due falls back to when no lease is out: the latest of all that settlements asked for
--   queued    URLs in the shards;  waiting: URLs that wait for another try;  leased: leases that are out
--   delay     between two visits (ms), slots: visits at a time; both as the last settlement said, UNKNOWN before one
--   failures  in a row that blame the host, those of one time counted once;  failed_at: when the last was counted
--   shards    of its queue
-- A host stands in the due-heap as long as it has something queued and fewer leases out than slots.

local HOST_FIELDS = { 'due', 'floor', 'delay', 'slots', 'queued', 'waiting', 'leased', 'failures', 'failed_at', 'shards' }
local UNKNOWN = -1
local hosts = {}

local function host_of(name)
  local host = hosts[name]
  if host then
    return host
  end
  host = { name = name, changed = false, raised = {}, recount = {} }
  local values = redis.call('HMGET', key('host:' .. name), unpack(HOST_FIELDS))
  for index, field in ipairs(HOST_FIELDS) do
    host[field] = tonumber(values[index] or '0')
  end
  if not values[1] then
    host.due = NOW
    host.delay = UNKNOWN
    host.slots = 1
    host.shards = 1
  end
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
  local fields = {}
  for _, field in ipairs(HOST_FIELDS) do
    fields[#fields + 1] = field
    fields[#fields + 1] = whole(host[field])
  end
  redis.call('HSET', key('host:' .. host.name), unpack(fields))
  local pending = host.queued + host.waiting + host.leased
  if pending == 0 then
    redis.call('ZREM', key('load'), host.name)
  elseif pending ~= host.pending then
    redis.call('ZADD', key('load'), pending, host.name)
  end
  host.pending = pending
  if host.queued > 0 and host.leased < host.slots then
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
