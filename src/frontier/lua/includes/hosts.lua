-- Hosts: loaded once per call, changed in memory, written by hosts.flush. A host is also its own common queue, number 0, so its record has the
-- fields of a queue (queues.lua). A host that may be leased from is in `due`, and once it is due, in `ready` as well (host_lists.lua).

--- @record hosts
---   priority        credit of its first entry when the host was last written, less CAPPED if it is capped; SPECULATIVE_ONLY or
---                   NOTHING where no entry with credit may be leased. lease.lua reads only this field, so it comes first
---   top             top of the common queue, as in queues.lua
---   dividend_index  as in queues.lua
---   collected_index its domain's dividend index up to which its queues have collected (credit.lua)
---   shards          as in queues.lua
---   size            as in queues.lua
---   members         as in queues.lua
---   head            as in queues.lua
---   due             earliest time of its next visit (epoch ms); pessimistic while a lease is out, unless paces say it
---   floor           value of due once no lease is out: the latest time that a commit asked for
---   failed_at       time when the last failure was counted (epoch ms)
---   delay           time between two visits (ms), from the last commit; UNKNOWN before the first
---   slots           most concurrent visits, from the last commit; 1 before the first
---   queued          entries that may be leased
---   again           queued entries that are second visits (again.lua)
---   waiting         entries that wait for another try
---   leased          leases that are out
---   failures        consecutive failures that blame the host; simultaneous ones count once
---   spec_budget     most speculative links that may be pending at a time (speculative.lua)
---   spec_pending    pending speculative links
---   deferred        length of its list of deferred speculative links
---   awaiting_dns    1 until its name is resolved: it is only in the list `awaiting-dns`
---   pattern_queues  patterns with a queue of their own
---   patterns        number of all its patterns
---   server_time     moving mean of its server's response time (ms); UNKNOWN before the first
---   pause           pause caused by failures (ms)
---   status          reason why it is in no list although it has entries: THROTTLED until its domain has a free place, CIRCUIT_OPEN; else AVAILABLE
---   capped          1 where its domain has had so many pages that hosts of other domains come first
---   pages           pages that count for the host limit (host_limit.lua)
---   limit_state     state of its host limit: FREE; TAKEN while leases and other tries take the rest; USED_UP
---   id              its number in key names
---   best_priority   highest priority of its pattern queues; NOTHING where none has any
---   best_queue      number of the queue with that priority
---   remainder       as in queues.lua
---   domain_name     its registrable domain
---   address         IP address of its name; '' where none is known
---   learned_delay   delay learned from refusals (ms), 0 where there is none (health.lua). The last field: records of older versions lack it
--- @unpacked
---   name            scheme, name and port
---   host            itself, as for any queue
---   number          0, as for any queue
---   names           as in queues.lua
---   place           as in queues.lua
---   prefix          as in queues.lua
---   full            as in queues.lua
---   writes          as in queues.lua
---   heads           as in queues.lua
---   paces           its parts by egress address number (egresses.lua); false where politeness counts for all together
---   changed         its record must be written
---   rebased         as in queues.lua
---   has_collected   as in queues.lua
---   loaded          its queues in memory, by number
---   is_new          Redis does not know it yet
---   known           its patterns in memory, by text (patterns.lua)
---   was_pattern_queues  number of its pattern queues in Redis
---   was_due         its due time in the list `due` of Redis, nil where it is not in the list
---   was_ready       its priority in the list `ready` of Redis, nil where it is not in the list
---   was_paced       the same two for each egress address, by number: {due, ready}
---   was_pending     number of its pending entries in Redis
---   was_withheld    number of first visits withheld by the host limit, in Redis
---   was_withheld_again  number of second visits withheld, in Redis
---   was_load        its score in the list `load` of Redis, 0 where it is not in the list
---   was_used_up     its score in the list `used-up` of Redis, nil where it is not in the list

hosts.UNKNOWN = -1
hosts.AVAILABLE = 0
hosts.THROTTLED = 1
hosts.CIRCUIT_OPEN = 2
hosts.SPECULATIVE_ONLY = -1
hosts.NOTHING = -2

local UNKNOWN, NOTHING = hosts.UNKNOWN, hosts.NOTHING
-- First budget of a host: speculative links that may be pending before any has proved right.
local FIRST_SPEC_BUDGET = 8
-- Subtrahend that puts a capped host behind all others.
local CAPPED = 2 ^ 53

at_each_call(function()
  hosts.loaded = {}
end)

local function new_host(name, domain_name)
  local host = queues.new(nil, 0, nil)
  host.name, host.domain_name, host.priority, host.collected_index = name, domain_name, NOTHING, 0
  host.due, host.floor, host.failed_at, host.delay, host.slots = crawl.state.clock, 0, 0, UNKNOWN, 1
  host.queued, host.again, host.waiting, host.leased, host.failures = 0, 0, 0, 0, 0
  host.spec_budget, host.spec_pending, host.deferred, host.awaiting_dns = FIRST_SPEC_BUDGET, 0, 0, crawl.state.awaits_dns
  host.pattern_queues, host.patterns, host.best_priority, host.best_queue = 0, 0, NOTHING, 0
  host.server_time, host.pause, host.status, host.capped, host.address = UNKNOWN, 0, hosts.AVAILABLE, 0, ''
  host.learned_delay = 0
  host.pages, host.limit_state = 0, host_limit.FREE
  crawl.count('hosts', 1)
  host.id = crawl.state.hosts
  return host
end

function hosts.pending(host)
  return host.queued + host.waiting + host.leased
end

-- Loads a host into memory. `packed` is false where it is new; then `domain_name` is needed.
function hosts.add(name, packed, domain_name)
  local host = packed and hosts.unpack(packed) or new_host(name, domain_name)
  if type(host.learned_delay) ~= 'number' then
    host.learned_delay = 0
  end
  host.name, host.host, host.number, host.is_new, host.was_pattern_queues = name, host, 0, not packed, host.pattern_queues
  host.loaded = { [0] = host }
  host.paces = egresses.paces_of(packed)
  host_lists.remember(host)
  hosts.loaded[name] = host
  return host
end

-- The host with a name. `domain_name` is needed where the host may be new.
function hosts.of(name, domain_name)
  return hosts.loaded[name] or hosts.add(name, redis.call('GET', store.key('host:' .. name)), domain_name)
end

-- The name of a URL's host.
function hosts.name_of(url)
  return string.sub(url, 1, string.find(url, '/', 9, true) - 1)
end

function hosts.patterns_key(host)
  return store.key('patterns:' .. host.id)
end

local function add_queue(host, number, packed)
  local queue = queues.unpack(packed)
  queue.host, queue.number = host, number
  host.loaded[number] = queue
  return queue
end

function hosts.queue_of(host, number)
  return host.loaded[number] or add_queue(host, number, redis.call('HGET', hosts.patterns_key(host), number))
end

function hosts.load_queues(host)
  for number = 1, host.pattern_queues do
    hosts.queue_of(host, number)
  end
end

-- Sets the due time of a host, or of one of its paces: its floor and, while a lease is out, the pessimistic time if that is later.
-- For a pace, the caller must mark the host itself as changed.
function hosts.set_due(pace)
  pace.due = math.max(pace.floor, pace.leased == 0 and crawl.state.clock or pace.due)
  pace.changed = true
end

function hosts.postpone(pace, due)
  pace.floor = math.max(pace.floor, due)
  hosts.set_due(pace)
end

-- Writes the changed entries of a host. Returns whether its record or one of its queues must be written as well.
local function has_changed(host)
  local has = false
  for _, queue in pairs(host.loaded) do
    if queue.writes then
      queues.flush(queue)
    end
    has = has or queue.changed
  end
  return has
end

-- Finds the pattern queue with the highest priority. A host with more than one keeps their negated priorities in the ZSET `priorities`.
local function rank_queues(host, ranks)
  local name = store.key('priorities:' .. host.id)
  if host.was_pattern_queues == 1 and host.best_priority ~= NOTHING and not ranks[1] then
    ranks[1] = host.best_priority
  end
  local list = {}
  for number, priority in pairs(ranks) do
    if priority == NOTHING then
      redis.call('ZREM', name, number)
    else
      store.push(list, store.whole(-priority), number)
    end
  end
  store.call_with('ZADD', name, list)
  local best, score = unpack(redis.call('ZRANGE', name, 0, 0, 'WITHSCORES'))
  host.best_queue, host.best_priority = tonumber(best or 0), -tonumber(score or -NOTHING)
end

-- Writes the changed queues of a host, and sets its priority.
local function flush_queues(host)
  local records, ranks = nil, nil
  for number, queue in pairs(host.loaded) do
    if queue.changed then
      queue.changed, host.changed = false, true
      queues.flush(queue)
      if number > 0 then
        records, ranks = records or {}, ranks or {}
        store.push(records, number, queues.pack(queue))
        ranks[number] = queues.priority(queue)
      end
    end
  end
  if records then
    store.call_with('HSET', hosts.patterns_key(host), records)
    if host.pattern_queues > 1 then
      rank_queues(host, ranks)
    else
      host.best_queue, host.best_priority = 1, ranks[1]
    end
    host.was_pattern_queues = host.pattern_queues
  end
  host.priority = math.max(queues.priority(host), host.best_priority)
  if host.capped == 1 and host.priority ~= NOTHING then
    host.priority = host.priority - CAPPED
  end
end

function hosts.flush()
  local changes
  for name, host in pairs(hosts.loaded) do
    if has_changed(host) then
      changes = changes or host_lists.changes()
      flush_queues(host)
      if host_limit.apply(host) then
        flush_queues(host)
      end
      host.changed = false
      store.set(store.key('host:' .. name), hosts.pack(host) .. egresses.packed_paces(host))
      host_lists.collect(changes, host)
      host_lists.remember(host)
    end
  end
  if changes then
    host_lists.write(changes)
  end
end
