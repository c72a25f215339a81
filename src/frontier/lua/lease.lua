-- Leases URLs: the first entry of the due host with the highest priority. A URL over which the program ended comes before
-- all others, and no other lease is out beside it. Where politeness counts per egress address, the addresses take turns.
-- Arguments:
--   now           epoch ms
--   count         URLs, at most
--   leaseFor      ms until the deadline of a lease
--   newHostDelay  ms between two visits of a host without a commit
--   egresses      number of URLs per egress address, see egresses.turns; '' where politeness counts for all together
--   fair          yes to take the host that has been due longest, whatever its priority; else '': then only each 16th lease does
--   epoch         of the caller, see includes/leader.lua
-- Reply: {'leased', now, visit, ...} | {'nothing-due', due} | {'nothing-queued'} | {'circuits-open'} where all queued URLs belong to hosts
-- whose circuit is open. A visit is {token, host, path, depth, redirects, hops, attempt, deaths, kind, referrer, 1 where no visit of the host was
-- committed before, address of the host, index of the egress address in `egresses`}; the last one only where there are some. The kind of a second
-- visit is followed by a + and the hashes of the links that the first visit recorded.
-- Cost: O(count), plus one step for each host that has become due.

-- Every 16th lease takes the host that has been due longest, whatever its priority (no starvation).
local FAIR = 16
-- Consecutive hosts refused by a gate after which a call gives up for now.
local MOST_REFUSALS = 100
-- Time until the next request while a suspect is visited alone, or waits for the other visits to end (ms).
local ALONE = 1000
-- Time until the next request while host names are being looked up (ms).
local LOOK_UP = 50

leader.check(args.epoch)
crawl.advance_clock(args.now)
local turns = egresses.turns(args.egresses, tonumber(args.count))
credit.pay_dividend(1)

local function next_host(egress)
  local name
  if args.fair == 'yes' or (crawl.state.token + 1) % FAIR == 0 then
    local due = store.key('due' .. egress.suffix)
    name = redis.call('ZRANGEBYSCORE', due, '-inf', store.whole(crawl.state.clock), 'LIMIT', 0, 1)[1]
  else
    name = redis.call('ZRANGE', store.key('ready' .. egress.suffix), 0, 0)[1]
  end
  return name and hosts.of(name)
end

local function delay_of(host)
  return host.delay == hosts.UNKNOWN and tonumber(args.newHostDelay) or host.delay
end

-- The next host that passes the gates for an egress address. A host that fails is throttled, or due later; one without a place left in its host
-- limit hands its domain's free visit to the next throttled host.
local function next_that_passes(egress)
  for _ = 1, MOST_REFUSALS do
    local host = next_host(egress)
    if not host then
      return nil
    end
    if not host_limit.passes(host) then
      gate.next_throttled(host, egress)
    elseif gate.passes_domain(host, egress) and gate.passes_address(host, delay_of(host), egress) then
      return host
    end
    hosts.flush()
  end
end

local function lease_out(queue, path, entry, turn)
  local host, egress = queue.host, turn.egress
  crawl.count('token', 1)
  crawl.count('queued', -1)
  crawl.count('queued_again', -entries.again(entry))
  crawl.count('leased_again', entries.again(entry))
  local token = store.whole(crawl.state.token)
  leases.write(token, {
    deadline = crawl.state.clock + tonumber(args.leaseFor),
    leased_at = crawl.state.clock,
    queue = queue.number,
    begun = 0,
    again = entries.again(entry),
    url = host.name .. path,
    egress = egress.number,
  })
  leases.count(host, egress, 1)
  -- Pessimistic: valid until the commit, or for good if none comes.
  local pace = egresses.pace(host, egress)
  pace.due = math.max(pace.floor, crawl.state.clock + delay_of(host))
  gate.take_place(host, egress)
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
    entries.letter(entry) .. again.mark(entry, host.name .. path),
    sources.url_of(entry.source),
    host.delay == hosts.UNKNOWN and 1 or 0,
    host.address,
    turn.index,
  }
end

local function lease_from(host, turn)
  local queue = hosts.queue_of(host, host.best_priority > queues.priority(host) and host.best_queue or 0)
  local path, entry = queues.take_first(queue)
  host.queued, host.again = host.queued - 1, host.again - entries.again(entry)
  return lease_out(queue, path, entry, turn)
end

-- Earliest due time of a suspect's host, where known.
local suspect_due

-- The next turn that may take another URL, starting from a different one at each lease; nil where there is none.
local function next_turn()
  for offset = 0, #turns - 1 do
    local turn = turns[(crawl.state.token + offset) % #turns + 1]
    if turn.left > 0 then
      return turn
    end
  end
end

-- Removes the first suspect whose host may be visited from the list of suspects. Returns its queue and path; 'others' where it waits for other
-- visits to end; nil where there is none.
local function next_suspect(turn)
  for _, member in ipairs(crawl.state.suspects > 0 and redis.call('LRANGE', store.key('suspects'), 0, -1) or {}) do
    local queue, path = leases.place_of(member)
    local host = queue.host
    if host.awaiting_dns == 0 and host.status ~= hosts.CIRCUIT_OPEN then
      local due = math.max(host.due, egresses.pace(host, turn.egress).due)
      local is_due = due <= crawl.state.clock
      if is_due and crawl.state.leased > 0 then
        return 'others'
      end
      if is_due and gate.passes_address(host, delay_of(host), turn.egress) then
        redis.call('LREM', store.key('suspects'), 1, member)
        return queue, path
      end
      due = math.max(host.due, egresses.pace(host, turn.egress).due)
      suspect_due = math.min(suspect_due or due, due)
    end
  end
end

local function lease_suspect(queue, path, turn)
  local entry, shard = queues.entry_at(queue, path)
  entry.attempts = entry.attempts + 1
  queues.put(queue, shard, path, entry)
  queue.host.waiting = queue.host.waiting - 1
  crawl.count('suspects', -1)
  crawl.state.alone = 1
  return lease_out(queue, path, entry, turn)
end

health.close_circuits()
promotion.promote()
local reply = { 'leased', store.whole(crawl.state.clock) }
local suspect, path = 'others', nil
local first_turn = next_turn()
if crawl.state.alone == 0 and first_turn then
  suspect, path = next_suspect(first_turn)
end
local left = suspect and 0 or tonumber(args.count)
while left > 0 do
  local turn = next_turn()
  local host = turn and next_that_passes(turn.egress)
  if not turn then
    break
  elseif host then
    reply[#reply + 1] = lease_from(host, turn)
    left, turn.left = left - 1, turn.left - 1
  else
    turn.left, turn.is_over = 0, true
  end
end
if suspect and suspect ~= 'others' then
  reply[#reply + 1] = lease_suspect(suspect, path, first_turn)
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
local due
for _, turn in ipairs(turns) do
  local first = turn.is_over and redis.call('ZRANGE', store.key('due' .. turn.egress.suffix), 0, 0, 'WITHSCORES')[2]
  due = first and math.min(due or math.huge, first) or due
end
-- URLs that wait for another try are not in the lists of egress addresses.
local first = #egresses.apart > 0 and redis.call('ZRANGEBYSCORE', store.key('due'), '(' .. store.whole(crawl.state.clock), '+inf',
  'WITHSCORES', 'LIMIT', 0, 1)[2]
if first then
  due = math.min(due or math.huge, first)
end
if suspect_due then
  due = math.min(due or math.huge, suspect_due)
end
if crawl.state.awaiting_dns > 0 then
  due = math.min(due or math.huge, crawl.state.clock + LOOK_UP)
end
if due then
  return { 'nothing-due', store.whole(tonumber(due)) }
end
-- A host with an open circuit may have no URLs left, or none within its limit; second visits are not waited for.
for _, name in ipairs(crawl.state.open_circuits > 0 and redis.call('ZRANGE', store.key('open-circuits'), 0, -1) or {}) do
  local host = hosts.of(name)
  local withheld = host_limit.withheld(host)
  if hosts.pending(host) - host.again > withheld then
    return { 'circuits-open' }
  end
end
return { 'nothing-queued' }
