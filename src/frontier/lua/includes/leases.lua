-- Leases that are out: a HASH by token. There are as many as workers, so a script may read them all. The entry of a lease stays in its queue
-- as away, and is still paid.

--- @record leases
---   deadline   time by which it must be renewed or committed (epoch ms)
---   leased_at  time of the lease (epoch ms)
---   queue      number of its queue; leases.take_back puts the queue itself here
---   begun      1 once a worker has begun the visit
---   url        URL of the entry
---   again      1 for a second visit
---   egress     number of its egress address; 0 where politeness counts for all together. leases.take_back puts the egress
---              address itself here
--- @unpacked
---   pace       its host's part for that egress address (egresses.lua)
---   path       path of the URL
---   host       host of the URL

function leases.write(token, lease)
  redis.call('HSET', store.key('leases'), token, leases.pack(lease))
end

-- Counts a lease of a host as begun or ended.
function leases.count(host, egress, change)
  crawl.count('leased', change)
  host.leased, host.changed = host.leased + change, true
  if egress.number > 0 then
    local pace = egresses.pace(host, egress)
    pace.leased, egress.leased = pace.leased + change, egress.leased + change
  end
end

-- Ends a lease. Returns it with its host, queue and path; nil where the token is not out.
function leases.take_back(token)
  local packed = redis.call('HGET', store.key('leases'), token)
  if not packed then
    return nil
  end
  redis.call('HDEL', store.key('leases'), token)
  local lease = leases.unpack(packed)
  local name = hosts.name_of(lease.url)
  lease.path = string.sub(lease.url, #name + 1)
  lease.host = hosts.of(name)
  lease.queue = hosts.queue_of(lease.host, lease.queue)
  lease.egress = egresses.of(lease.egress)
  lease.pace = egresses.pace(lease.host, lease.egress)
  gate.free_place(lease.host, lease.egress)
  leases.count(lease.host, lease.egress, -1)
  crawl.count('leased_again', -lease.again)
  crawl.state.alone = 0
  return lease
end

-- Makes an entry available again. An entry over which the program ended goes to the LIST `suspects`, by the number of its queue and its URL, and
-- stays away from its queue.
local function enqueue(queue, shard, path, entry)
  local host = queue.host
  host.changed = true
  entry.away = entry.deaths > 0
  if entry.away then
    redis.call('RPUSH', store.key('suspects'), queue.number .. ' ' .. host.name .. path)
    crawl.count('suspects', 1)
    host.waiting = host.waiting + 1
  else
    host.queued, host.again = host.queued + 1, host.again + entries.again(entry)
  end
  queues.put(queue, shard, path, entry)
end

-- Puts the entry of a lease back into its queue. `uncounted` attempts are subtracted, `deaths` are added.
function leases.requeue(lease, uncounted, deaths)
  local entry, shard = queues.entry_at(lease.queue, lease.path)
  entry.attempts = entry.attempts - uncounted
  entry.deaths = entry.deaths + deaths
  enqueue(lease.queue, shard, lease.path, entry)
  crawl.count('queued', 1)
  crawl.count('queued_again', lease.again)
  hosts.set_due(lease.pace)
end

-- The host of a lease that was taken back is not due before `due`, nor before its own delay is over: the visit may have gone on until now.
function leases.rest(lease, due)
  local delay = lease.host.delay
  hosts.postpone(lease.pace, math.max(due, delay == hosts.UNKNOWN and 0 or crawl.state.clock + delay))
end

-- Member of `due` for a URL that waits for another try: r, the number of its queue, and the URL; in `suspects` it has no r.
local WAITING = '^r?(%d+) (.+)$'

function leases.is_waiting(member)
  return string.byte(member) == 114
end

-- Host name of a member of `due`, which is a host or a URL.
function leases.host_of_due(member)
  return leases.is_waiting(member) and hosts.name_of(string.match(member, ' (.+)$')) or member
end

-- Makes the URL of a lease wait for another try, not before `due`. A URL that is due already goes to its queue, because promotion
-- (promotion.lua) would not find it any more.
function leases.wait_until(lease, due)
  if tonumber(due) <= crawl.state.promoted then
    leases.requeue(lease, 0, 0)
    return
  end
  redis.call('ZADD', store.key('due'), due, 'r' .. lease.queue.number .. ' ' .. lease.url)
  lease.host.waiting = lease.host.waiting + 1
  crawl.count('queued', 1)
  crawl.count('queued_again', lease.again)
end

-- Queue and path of the URL in a member of `due` or `suspects`.
function leases.place_of(member)
  local number, url = string.match(member, WAITING)
  local host = hosts.of(hosts.name_of(url))
  return hosts.queue_of(host, tonumber(number)), string.sub(url, #host.name + 1)
end

-- Puts a URL that waited for another try back into its queue, or makes it wait on for others of its host.
function leases.wake(member)
  local queue, path = leases.place_of(member)
  local held_until = health.held_until(queue.host)
  if held_until then
    redis.call('ZADD', store.key('due'), held_until, member)
    return
  end
  local entry, shard = queues.entry_at(queue, path)
  queue.host.waiting = queue.host.waiting - 1
  enqueue(queue, shard, path, entry)
end
