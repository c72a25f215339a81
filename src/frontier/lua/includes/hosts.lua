-- Hosts: loaded once in a call, changed in memory, written by hosts.flush. A host is also its own common queue, number 0, so its record has the
-- fields of a queue (queues.lua). A host that may be leased from stands in `due`, and in `ready` as well once it is due (host_lists.lua).

--- @record hosts
---   priority        credit of its first entry as of the last time the host was written, less CAPPED where it is capped; SPECULATIVE_ONLY or
---                   NOTHING where no entry with credit may be leased. lease.lua reads this field alone, so it comes first
---   top             of the common queue, as in queues.lua
---   dividend_index  of the common queue, likewise
---   collected_index dividend index of its domain up to which its queues have collected (credit.lua)
---   shards          of the common queue
---   size            likewise
---   members         likewise
---   head            likewise
---   due             not to be visited before this (epoch ms); pessimistic while a lease is out, but where paces say that
---   floor           what due falls back to when no lease is out: the latest time that a commit asked for
---   failed_at       when the last failure was counted (epoch ms)
---   delay           between two visits (ms), as the last commit said; UNKNOWN before one
---   slots           visits at a time, likewise; 1 before a commit
---   queued          entries that may be leased
---   again           those of them that are second visits (again.lua)
---   waiting         entries that wait for another try
---   leased          leases that are out
---   failures        in a row that blame the host; those of one time count once
---   spec_budget     speculative links that may be pending at a time (speculative.lua)
---   spec_pending    that are pending
---   deferred        length of the list of those that wait for a place
---   awaiting_dns    1 until its name is resolved: it stands in `awaiting-dns` and in no other list
---   pattern_queues  patterns with a queue of their own
---   patterns        all patterns it has
---   server_time     moving mean of the time its server takes (ms); UNKNOWN before the first
---   pause           that failures have brought (ms)
---   status          why it stands in no list although it has entries: THROTTLED until its domain has a free place, CIRCUIT_OPEN; else AVAILABLE
---   capped          1 where its domain has had so many pages that hosts of others come first
---   pages           that count for the host limit (host_limit.lua)
---   limit_state     what the host limit leaves it: FREE; TAKEN while leases and other tries take the rest; USED_UP
---   id              its number, for names of keys
---   best_priority   highest priority of its pattern queues; NOTHING where none has any
---   best_queue      number of that queue
---   remainder       of the common queue
---   domain_name     its registrable domain
---   address         its name resolves to; '' where none is known
--- @unpacked
---   name            scheme, name and port
---   host            itself, as for any queue
---   number          0, as for any queue
---   names           as in queues.lua
---   place           likewise
---   prefix          likewise
---   full            likewise
---   writes          likewise
---   heads           likewise
---   paces           its parts by number of an egress address (egresses.lua); false where politeness counts for all together
---   changed         its record must be written
---   rebased         as in queues.lua
---   has_collected   likewise
---   loaded          its queues that are in memory, by number
---   is_new          Redis does not know it yet
---   known           its patterns that are in memory, by text (patterns.lua)
---   was_pattern_queues  how many Redis knows
---   was_due         when it is due in the list `due` of Redis, nil where it is not in it
---   was_ready       its priority in the list `ready` of Redis, nil where it is not in it
---   was_paced       the same two for each egress address, by number: {due, ready}
---   was_pending     its pending entries as Redis knows them
---   was_withheld    those of them that the host limit withholds, first visits
---   was_withheld_again  the same of second visits
---   was_load        its score in the list `load` of Redis, 0 where it is not in it
---   was_used_up     its score in the list `used-up` of Redis, nil where it is not in it

hosts.UNKNOWN = -1
hosts.AVAILABLE = 0
hosts.THROTTLED = 1
hosts.CIRCUIT_OPEN = 2
hosts.SPECULATIVE_ONLY = -1
hosts.NOTHING = -2

local UNKNOWN, NOTHING = hosts.UNKNOWN, hosts.NOTHING
-- Speculative links of a host that may be pending before any has proved right.
local FIRST_SPEC_BUDGET = 8
-- Puts a host behind all that are not capped.
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
  host.pages, host.limit_state = 0, host_limit.FREE
  crawl.count('hosts', 1)
  host.id = crawl.state.hosts
  return host
end

function hosts.pending(host)
  return host.queued + host.waiting + host.leased
end

-- Takes a host into memory. `packed` is false where it is new; then its domain is needed.
function hosts.add(name, packed, domain_name)
  local host = packed and hosts.unpack(packed) or new_host(name, domain_name)
  host.name, host.host, host.number, host.is_new, host.was_pattern_queues = name, host, 0, not packed, host.pattern_queues
  host.loaded = { [0] = host }
  host.paces = egresses.paces_of(packed)
  host_lists.remember(host)
  hosts.loaded[name] = host
  return host
end

-- The host of a name. `domain_name` is needed where it may be new.
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

-- Sets when a host, or one of its paces, is due: what the commits asked for where no lease is out, else the pessimistic time if it is later.
-- With a pace the host itself must be marked as changed.
function hosts.set_due(pace)
  pace.due = math.max(pace.floor, pace.leased == 0 and crawl.state.clock or pace.due)
  pace.changed = true
end

function hosts.postpone(pace, due)
  pace.floor = math.max(pace.floor, due)
  hosts.set_due(pace)
end

-- Writes the entries of a host that were put. Returns whether its record or one of its queues must be written as well.
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

-- Finds the pattern queue of the highest priority. A host with more than one has the ZSET `priorities` with minus the priority of each.
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

-- Writes the queues of a host that have changed, and sets its priority.
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
