-- Leases that are out: token -> deadline (ZSET), token -> lease (HASH), URL -> token (HASH). Needs store, record, host, queue.

local function put_out(lease, deadline)
  local token = whole(redis.call('HINCRBY', keys.meta, 'token', 1))
  redis.call('ZADD', key('leases'), whole(tonumber(deadline)), token)
  redis.call('HSET', key('lease'), token, pack_lease(lease))
  redis.call('HSET', key('leased'), lease.host .. lease.path, token)
  count('leased', 1)
  return token
end

-- The lease, taken out of the books; nil where the token is not out.
local function take_back(token)
  local text = redis.call('HGET', key('lease'), token)
  if not text then
    return nil
  end
  local lease = unpack_lease(text)
  redis.call('HDEL', key('lease'), token)
  redis.call('ZREM', key('leases'), token)
  redis.call('HDEL', key('leased'), lease.host .. lease.path)
  count('leased', -1)
  local host = host_of(lease.host)
  host.leased = host.leased - 1
  host.changed = true
  return lease
end

-- Back into its queue; `uncounted` attempts are as if they had not been.
local function requeue(lease, uncounted)
  local host = host_of(lease.host)
  lease.facts.attempts = lease.facts.attempts - uncounted
  enqueue(host, lease.path, lease.credit, pack_facts(lease.facts))
  count('queued', 1)
  set_due(host)
end

-- Waits for another try, not before `due`.
local function wait_until(lease, due)
  local host = host_of(lease.host)
  local url = lease.host .. lease.path
  redis.call('ZADD', key('retries'), whole(tonumber(due)), url)
  redis.call('HSET', key('retry'), url, pack_record(lease))
  host.waiting = host.waiting + 1
  host.changed = true
  count('queued', 1)
end

-- How many URLs go from waiting to queued in one call at the most.
local WAKE_LIMIT = 100

local function wake()
  for _, url in ipairs(redis.call('ZRANGEBYSCORE', key('retries'), '-inf', whole(NOW), 'LIMIT', 0, WAKE_LIMIT)) do
    local record = unpack_record(redis.call('HGET', key('retry'), url))
    redis.call('ZREM', key('retries'), url)
    redis.call('HDEL', key('retry'), url)
    local host = host_of(record.host)
    host.waiting = host.waiting - 1
    enqueue(host, record.path, record.credit, pack_facts(record.facts))
  end
end
