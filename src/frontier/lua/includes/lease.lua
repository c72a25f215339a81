-- Leases that are out: HASH token -> deadline and leased_at (epoch ms), number of the queue, 1 once a worker has begun with it, URL. As many as there are workers, so they may all be
-- read at once. What is leased stays in its shard and is away; it goes on being paid. Needs store, entry, queue, host, credit, gate.

--- @record lease deadline leased_at queue begun url | path host

local function write_lease(token, lease)
  redis.call('HSET', key('leases'), token, pack_lease(lease))
end

-- The lease with its host, queue and path, taken out of the books; nil where the token is not out.
local function take_back(token)
  local packed = redis.call('HGET', key('leases'), token)
  if not packed then
    return nil
  end
  redis.call('HDEL', key('leases'), token)
  local lease = unpack_lease(packed)
  local name = host_name_of(lease.url)
  lease.path = string.sub(lease.url, #name + 1)
  lease.host = host_of(name)
  lease.queue = queue_of(lease.host, lease.queue)
  free_place(lease.host)
  lease.host.leased = lease.host.leased - 1
  lease.host.changed = true
  count('leased', -1)
  state.alone = 0
  return lease
end

-- A page may be leased again. One over which the program ended stands in the LIST `suspects`, by the number of its queue and its URL, and
-- goes on being away from its queue.
local function enqueue(queue, shard, path, entry)
  local host = queue.host
  entry.away = entry.deaths > 0
  if entry.away then
    redis.call('RPUSH', key('suspects'), queue.number .. ' ' .. host.name .. path)
    count('suspects', 1)
    host.waiting = host.waiting + 1
  else
    host.queued = host.queued + 1
  end
  put(queue, shard, path, entry)
end

-- Back into its queue; `uncounted` attempts are as if they had not been, and so many times more the program ended over it.
local function requeue(lease, uncounted, deaths)
  local entry, shard = entry_at(lease.queue, lease.path)
  entry.attempts = entry.attempts - uncounted
  entry.deaths = entry.deaths + deaths
  enqueue(lease.queue, shard, lease.path, entry)
  count('queued', 1)
  set_due(lease.host)
end

-- What waits for another try stands in `due`: a letter and the number of its queue, then the URL.
local WAITING = '^r?(%d+) (.+)$'

local function is_waiting(member)
  return string.byte(member) == 114
end

-- The host that a member of `due` is, or is of.
local function host_of_due(member)
  return is_waiting(member) and host_name_of(string.match(member, ' (.+)$')) or member
end

-- Waits for another try, not before `due`. What is due already would not be found any more (lease.lua).
local function wait_until(lease, due)
  if tonumber(due) <= state.promoted then
    requeue(lease, 0, 0)
    return
  end
  redis.call('ZADD', key('due'), due, 'r' .. lease.queue.number .. ' ' .. lease.url)
  lease.host.waiting = lease.host.waiting + 1
  count('queued', 1)
end

-- Queues and path of a page, by how it stands in `due` or in `suspects`.
local function place_of(member)
  local number, url = string.match(member, WAITING)
  local host = host_of(host_name_of(url))
  return queue_of(host, tonumber(number)), string.sub(url, #host.name + 1)
end

local function wake(member)
  local queue, path = place_of(member)
  local entry, shard = entry_at(queue, path)
  queue.host.waiting = queue.host.waiting - 1
  enqueue(queue, shard, path, entry)
end
