-- Leases up to `count` URLs: of the hosts that are due the one with the richest page, and that page. A page over which the program ended
-- comes before all others, and no other visit is under way beside it.
-- Reply: {'leased', now, visit, ...} | {'nothing-due', due} | {'nothing-queued'}
-- | {'given-up'} where nothing is left but hosts that were given up;
-- a visit is {token, host, path, depth, redirects, hops, attempt, deaths, kind, referrer}.
-- Cost: O(count); a host that has become due is looked at once for that.

-- Every so many leases the host is served that has been due longest, however poor it is.
local FAIR = 16
-- Hosts that a call finds at a closed gate before it gives up for now.
local MOST_REFUSALS = 100
-- How soon to ask again while a visit that must be alone is under way, or waits for the others to end (ms).
local ALONE = 1000
-- How soon a host may be due whose address is being looked up (ms).
local LOOK_UP = 50

advance_clock(args.now)
pay_out()

-- Hosts that have become due since the last call go to `ready`, and what waited for another try goes to its queue.
local function promote()
  local due = redis.call('ZRANGEBYSCORE', key('due'), '(' .. whole(books.promoted), books.clock)
  books.promoted = books.clock
  local names, woken, ready = {}, {}, {}
  for _, member in ipairs(due) do
    push(is_waiting(member) and woken or names, member)
  end
  for _, name in ipairs(names) do
    local host = hosts[name]
    -- the score is the first field of a host
    local _, score = 0, host and host.score
    if not host then
      _, score = cmsgpack.unpack_one(redis.call('GET', key('host:' .. name)))
    end
    push(ready, whole(-score), name)
  end
  call_with('ZADD', key('ready'), ready)
  call_with('ZREM', key('due'), woken)
  for _, member in ipairs(woken) do
    wake(member)
  end
  flush_hosts()
end

local function next_host()
  local name
  if (books.token + 1) % FAIR == 0 then
    name = redis.call('ZRANGEBYSCORE', key('due'), '-inf', whole(books.clock), 'LIMIT', 0, 1)[1]
  else
    name = redis.call('ZRANGE', key('ready'), 0, 0)[1]
  end
  return name and host_of(name)
end

local function delay_of(host)
  return host.delay == UNKNOWN and tonumber(args.newHostDelay) or host.delay
end

-- The next host that passes all gates. One that does not is due later, or parked.
local function next_visit()
  for _ = 1, MOST_REFUSALS do
    local host = next_host()
    if not host then
      return nil
    end
    if not quota.passes(host) then
      call_parked(host) -- it may have been called to a place that it cannot take any more
    elseif passes_domain(host) and passes_address(host, delay_of(host)) then
      return host
    end
    flush_hosts()
  end
end

local function lease_out(unit, path, page)
  local host = unit.host
  count('token', 1)
  count('queued', -1)
  count('leased', 1)
  local token = whole(books.token)
  write_lease(token, {
    deadline = books.clock + tonumber(args.leaseFor),
    leased_at = books.clock,
    unit = unit.number,
    begun = 0,
    url = host.name .. path,
  })
  host.leased, host.changed = host.leased + 1, true
  -- pessimistic: stands until the commit, or for good where there never is one
  host.due = math.max(host.floor, books.clock + delay_of(host))
  local domain = domain_of(host)
  domain.leased, domain.changed = domain.leased + 1, true
  flush_hosts()
  return {
    token,
    host.name,
    path,
    page.depth,
    page.redirects,
    page.hops,
    page.attempts,
    page.deaths,
    page.kind,
    source_url(page.source),
  }
end

local function lease_from(host)
  local unit = unit_of(host, host.own > worth(host) and host.own_unit or 0)
  local path, page = take_richest(unit)
  host.queued = host.queued - 1
  return lease_out(unit, path, page)
end

-- When the first host of a suspect is due, where that is known.
local suspect_due

-- Unit and path of the first suspect whose host may be visited, taken out of their list; 'others' where it waits for other visits to end.
local function next_suspect()
  for _, member in ipairs(books.suspects > 0 and redis.call('LRANGE', key('suspects'), 0, -1) or {}) do
    local unit, path = place_of(member)
    local host = unit.host
    if host.awaiting == 0 and host.rest ~= GIVEN_UP then
      local is_due = host.due <= books.clock
      if is_due and books.leased > 0 then
        return 'others'
      end
      if is_due and passes_address(host, delay_of(host)) then
        redis.call('LREM', key('suspects'), 1, member)
        return unit, path
      end
      suspect_due = math.min(suspect_due or host.due, host.due)
    end
  end
end

local function lease_suspect(unit, path)
  local page, shard = page_at(unit, path)
  page.attempts = page.attempts + 1
  put(unit, shard, path, page)
  unit.host.waiting = unit.host.waiting - 1
  count('suspects', -1)
  books.alone = 1
  return lease_out(unit, path, page)
end

end_rests()
promote()
local reply = { 'leased', whole(books.clock) }
local suspect, path = 'others', nil
if books.alone == 0 then
  suspect, path = next_suspect()
end
for _ = 1, suspect and 0 or tonumber(args.count) do
  local host = next_visit()
  if not host then
    break
  end
  reply[#reply + 1] = lease_from(host)
end
if suspect and suspect ~= 'others' then
  reply[#reply + 1] = lease_suspect(suspect, path)
end
flush_hosts()
flush_credit()
close_books()
if #reply > 2 then
  return reply
end

if suspect == 'others' then
  return { 'nothing-due', whole(books.clock + ALONE) }
end
local due = redis.call('ZRANGE', key('due'), 0, 0, 'WITHSCORES')[2]
if suspect_due then
  due = math.min(due or math.huge, suspect_due)
end
if books.unaddressed > 0 then
  due = math.min(due or math.huge, books.clock + LOOK_UP)
end
if due then
  return { 'nothing-due', whole(tonumber(due)) }
end
-- of hosts that were given up something may be left, or nothing
for _, name in ipairs(books.resting > 0 and redis.call('ZRANGE', key('resting'), 0, -1) or {}) do
  local host = host_of(name)
  if pending(host) > 0 and host.quota ~= quota.SPENT then
    return { 'given-up' }
  end
end
return { 'nothing-queued' }
