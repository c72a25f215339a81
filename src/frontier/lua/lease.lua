-- Leases URLs: of the hosts that are due the one of the highest priority, and its first entry. A URL over which the program ended comes before
-- all others, and no other lease is out beside it.
-- Arguments:
--   now           epoch ms
--   count         URLs, at most
--   leaseFor      ms until the deadline of a lease
--   newHostDelay  ms between two visits of a host of which nothing was committed yet
--   epoch         of the caller, see includes/leader.lua
-- Reply: {'leased', now, visit, ...} | {'nothing-due', due} | {'nothing-queued'} | {'circuits-open'} where all that is queued belongs to hosts
-- whose circuit is open; a visit is {token, host, path, depth, redirects, hops, attempt, deaths, kind, referrer, 1 where nothing of the host was
-- committed before}.
-- Cost: O(count); a host that has become due is looked at once for that.

-- Every 16th lease takes the host that has been due longest, whatever its priority (no starvation).
local FAIR = 16
-- Hosts in a row that a call finds at a closed gate before it gives up for now.
local MOST_REFUSALS = 100
-- How soon to ask again while a visit that must be alone is under way, or waits for the others to end (ms).
local ALONE = 1000
-- How soon a host may be due whose name is being looked up (ms).
local LOOK_UP = 50

leader.check(args.epoch)
crawl.advance_clock(args.now)
credit.pay_dividend()

-- Moves hosts that have become due since the last call to `ready`, and URLs that waited for another try to their queues.
local function promote()
  local state = crawl.state
  local due = redis.call('ZRANGEBYSCORE', store.key('due'), '(' .. store.whole(state.promoted), state.clock)
  state.promoted = state.clock
  local names, retries, ready = {}, {}, {}
  for _, member in ipairs(due) do
    store.push(leases.is_waiting(member) and retries or names, member)
  end
  for _, name in ipairs(names) do
    local host = hosts.loaded[name]
    local _, priority = 0, host and host.priority
    if not host then
      _, priority = cmsgpack.unpack_one(redis.call('GET', store.key('host:' .. name)))
    end
    store.push(ready, store.whole(-priority), name)
  end
  store.call_with('ZADD', store.key('ready'), ready)
  store.call_with('ZREM', store.key('due'), retries)
  for _, member in ipairs(retries) do
    leases.wake(member)
  end
  hosts.flush()
end

local function next_host()
  local name
  if (crawl.state.token + 1) % FAIR == 0 then
    name = redis.call('ZRANGEBYSCORE', store.key('due'), '-inf', store.whole(crawl.state.clock), 'LIMIT', 0, 1)[1]
  else
    name = redis.call('ZRANGE', store.key('ready'), 0, 0)[1]
  end
  return name and hosts.of(name)
end

local function delay_of(host)
  return host.delay == hosts.UNKNOWN and tonumber(args.newHostDelay) or host.delay
end

-- The next host that passes the gates. One that does not is throttled, or due later; one without a place left in its host limit hands the
-- free visit of its domain to the next throttled host.
local function next_that_passes()
  for _ = 1, MOST_REFUSALS do
    local host = next_host()
    if not host then
      return nil
    end
    if not host_limit.passes(host) then
      gate.next_throttled(host)
    elseif gate.passes_domain(host) and gate.passes_address(host, delay_of(host)) then
      return host
    end
    hosts.flush()
  end
end

local function lease_out(queue, path, entry)
  local host = queue.host
  crawl.count('token', 1)
  crawl.count('queued', -1)
  crawl.count('leased', 1)
  local token = store.whole(crawl.state.token)
  leases.write(token, {
    deadline = crawl.state.clock + tonumber(args.leaseFor),
    leased_at = crawl.state.clock,
    queue = queue.number,
    begun = 0,
    url = host.name .. path,
  })
  host.leased, host.changed = host.leased + 1, true
  -- Pessimistic: stands until the commit, or for good where there never is one.
  host.due = math.max(host.floor, crawl.state.clock + delay_of(host))
  local domain = domains.of(host)
  domain.leased, domain.changed = domain.leased + 1, true
  hosts.flush()
  return {
    token,
    host.name,
    path,
    entry.depth,
    entry.redirects,
    entry.hops,
    entry.attempts,
    entry.deaths,
    entry.kind,
    sources.url_of(entry.source),
    host.delay == hosts.UNKNOWN and 1 or 0,
  }
end

local function lease_from(host)
  local queue = hosts.queue_of(host, host.best_priority > queues.priority(host) and host.best_queue or 0)
  local path, entry = queues.take_first(queue)
  host.queued = host.queued - 1
  return lease_out(queue, path, entry)
end

-- When the first host of a suspect is due, where that is known.
local suspect_due

-- Takes the first suspect whose host may be visited out of their list. Returns its queue and path; 'others' where it waits for other visits
-- to end; nil where there is none.
local function next_suspect()
  for _, member in ipairs(crawl.state.suspects > 0 and redis.call('LRANGE', store.key('suspects'), 0, -1) or {}) do
    local queue, path = leases.place_of(member)
    local host = queue.host
    if host.awaiting_dns == 0 and host.status ~= hosts.CIRCUIT_OPEN then
      local is_due = host.due <= crawl.state.clock
      if is_due and crawl.state.leased > 0 then
        return 'others'
      end
      if is_due and gate.passes_address(host, delay_of(host)) then
        redis.call('LREM', store.key('suspects'), 1, member)
        return queue, path
      end
      suspect_due = math.min(suspect_due or host.due, host.due)
    end
  end
end

local function lease_suspect(queue, path)
  local entry, shard = queues.entry_at(queue, path)
  entry.attempts = entry.attempts + 1
  queues.put(queue, shard, path, entry)
  queue.host.waiting = queue.host.waiting - 1
  crawl.count('suspects', -1)
  crawl.state.alone = 1
  return lease_out(queue, path, entry)
end

health.close_circuits()
promote()
local reply = { 'leased', store.whole(crawl.state.clock) }
local suspect, path = 'others', nil
if crawl.state.alone == 0 then
  suspect, path = next_suspect()
end
for _ = 1, suspect and 0 or tonumber(args.count) do
  local host = next_that_passes()
  if not host then
    break
  end
  reply[#reply + 1] = lease_from(host)
end
if suspect and suspect ~= 'others' then
  reply[#reply + 1] = lease_suspect(suspect, path)
end
hosts.flush()
credit.flush()
crawl.write()
if #reply > 2 then
  return reply
end

if suspect == 'others' then
  return { 'nothing-due', store.whole(crawl.state.clock + ALONE) }
end
local due = redis.call('ZRANGE', store.key('due'), 0, 0, 'WITHSCORES')[2]
if suspect_due then
  due = math.min(due or math.huge, suspect_due)
end
if crawl.state.awaiting_dns > 0 then
  due = math.min(due or math.huge, crawl.state.clock + LOOK_UP)
end
if due then
  return { 'nothing-due', store.whole(tonumber(due)) }
end
-- A host whose circuit is open may have nothing left, or nothing that its limit allows.
for _, name in ipairs(crawl.state.open_circuits > 0 and redis.call('ZRANGE', store.key('open-circuits'), 0, -1) or {}) do
  local host = hosts.of(name)
  if hosts.pending(host) > host_limit.withheld(host) then
    return { 'circuits-open' }
  end
end
return { 'nothing-queued' }
