-- Queues of a host. The first entries of each URL pattern stand in the common queue of the host, number 0, which is part of the host's
-- record. A pattern that has more gets a queue of its own (patterns.lua).
--
-- A queue is a number of HASHes path -> entry, its shards, each small enough to keep its packed form. The fields leave out what all paths of the
-- queue begin with. Linear hashing (Litwin 1980): with n shards, 2^l <= n < 2^(l+1), shards below n - 2^l and above 2^l are addressed with
-- l+1 bits and the others with l. Where there are more than SHARD_LOAD entries a shard, the next shard in order is split in two.

--- @record queues
---   top             highest sort key of its entries, AWAY where none may be leased
---   dividend_index  what each member has been paid since it joined at 0 (credit.lua)
---   remainder       credit left over when a dividend was divided among the members
---   shards          how many there are
---   size            entries in its shards, those that are away included
---   members         entries that take part in credit: all but speculative links
---   head            the shard with the entry of the highest sort key
---   over_budget     1 where its pattern has used up its budget: nothing of it is leased or paid
---   fetched         URLs of the pattern that were visited
---   budget          how many may be (budget.lua)
---   looked          visits in the window that judges the pattern next
---   brought         those of them whose page was new
---   bred            those of them whose page named new URLs
---   judged          0 before the first full window, else one more than the new pages of the last
---   skipped         entries that were skipped because the pattern was over budget
---   pattern         its text
--- @unpacked
---   host            the host it belongs to
---   number          its number among the pattern queues of the host, from 1
---   names           cache: shard -> key
---   place           cache: what the keys of its shards begin with
---   prefix          cache: see queues.prefix
---   full            cache: see full_of
---   writes          shard -> fields and values to be written
---   heads           shard -> highest sort key among them
---   changed         its record must be written
---   has_collected   it got a dividend in this call

local AWAY, SPECULATIVE = entries.AWAY, entries.SPECULATIVE
local FIRST_BUDGET = 50
-- A lease reads all of a shard; each shard costs the memory of a key.
local SHARD_LOAD = 80

function queues.new(host, number, pattern)
  return {
    host = host,
    number = number,
    names = false,
    place = false,
    prefix = false,
    full = false,
    writes = false,
    heads = false,
    changed = false,
    has_collected = false,
    pattern = pattern,
    top = AWAY,
    head = 0,
    dividend_index = 0,
    remainder = 0,
    shards = 1,
    size = 0,
    members = 0,
    over_budget = 0,
    fetched = 0,
    budget = FIRST_BUDGET,
    looked = 0,
    brought = 0,
    bred = 0,
    judged = 0,
    skipped = 0,
  }
end

-- A number is made text once in a call: that takes as long as a lookup.
function queues.shard_key(queue, shard)
  if not queue.names then
    queue.names, queue.place = {}, store.key('queue:' .. queue.host.id .. ':' .. queue.number .. ':')
  end
  local name = queue.names[shard]
  if not name then
    name = queue.place .. shard
    queue.names[shard] = name
  end
  return name
end

local function heads_key(queue)
  return store.key('heads:' .. queue.host.id .. ':' .. queue.number)
end

-- The common beginning of all paths of a queue: of a pattern the text before its first variable part and before its query, whose names are sorted
-- (core/traps/pattern.ts).
function queues.prefix(queue)
  queue.prefix = queue.prefix or (queue.number == 0 and '/' or string.match(queue.pattern, '^[^#@*?]*'))
  return queue.prefix
end

local function field_of(queue, path)
  return string.sub(path, #(queue.prefix or queues.prefix(queue)) + 1)
end

function queues.path_of(queue, field)
  return queues.prefix(queue) .. field
end

-- The slot of a URL is its fingerprint modulo 2^26; its shard is a part of that.
local SLOTS = 2 ^ 26

function queues.slot_of(fingerprint)
  local high, low = tonumber(string.sub(fingerprint, 1, -10)) or 0, tonumber(string.sub(fingerprint, -9))
  return ((high % SLOTS) * (1e9 % SLOTS) + low) % SLOTS
end

local function slot_of_url(url)
  return tonumber(string.sub(redis.sha1hex(url), 9, 16), 16) % SLOTS
end

-- The greatest power of two that is no more than its shards.
local function full_of(queue)
  if not queue.full then
    local _, bits = math.frexp(queue.shards)
    queue.full = 2 ^ (bits - 1)
  end
  return queue.full
end

local function set_shards(queue, shards)
  queue.shards, queue.full = shards, false
end

-- The only place that says in which shard an entry stands.
function queues.shard_of(queue, slot)
  local shards = queue.shards
  if shards == 1 then
    return 0
  end
  local full = queue.full or full_of(queue)
  local shard = slot % full
  return shard < shards - full and slot % (full + full) or shard
end

-- Finds the entry with the highest sort key among the fields and values of a shard, of equal ones the first by field. Returns its field, its
-- value, and the second highest sort key.
local function highest(fields)
  local first, second, field, value = AWAY, AWAY, nil, nil
  for index = 2, #fields, 2 do
    local sort_key = struct.unpack('>I7', fields[index])
    if sort_key > first or (sort_key == first and field and fields[index - 1] < field) then
      first, second, field, value = sort_key, first, fields[index - 1], fields[index]
    elseif sort_key > second then
      second = sort_key
    end
  end
  return field, value, second
end

-- Sets a packed entry; queues.flush writes it.
function queues.put_value(queue, shard, path, value, sort_key)
  if not queue.writes then
    queue.writes, queue.heads, queue.changed = {}, {}, true
  end
  local list = queue.writes[shard]
  if list then
    store.push(list, field_of(queue, path), value)
  else
    queue.writes[shard] = { field_of(queue, path), value }
  end
  if sort_key > (queue.heads[shard] or AWAY) then
    queue.heads[shard] = sort_key
  end
end

function queues.put(queue, shard, path, entry)
  queues.put_value(queue, shard, path, entries.pack(entry), entries.sort_key(entry))
end

-- Writes the highest sort key of a shard.
local function set_head(queue, shard, sort_key)
  if sort_key == AWAY then
    redis.call('ZREM', heads_key(queue), shard)
  else
    redis.call('ZADD', heads_key(queue), store.whole(-sort_key), shard)
  end
end

local function split(queue)
  local from, to = queue.shards - full_of(queue), queue.shards
  local stored = redis.call('HGETALL', queues.shard_key(queue, from))
  set_shards(queue, to + 1)
  local fields, moved, stays, goes = {}, {}, AWAY, AWAY
  local beginning = queue.host.name .. queues.prefix(queue)
  for index = 1, #stored, 2 do
    local field, value = stored[index], stored[index + 1]
    local sort_key = struct.unpack('>I7', value)
    if queues.shard_of(queue, slot_of_url(beginning .. field)) == to then
      store.push(fields, field)
      store.push(moved, field, value)
      goes = math.max(goes, sort_key)
    else
      stays = math.max(stays, sort_key)
    end
  end
  store.call_with('HSET', queues.shard_key(queue, to), moved)
  store.call_with('HDEL', queues.shard_key(queue, from), fields)
  set_head(queue, from, stays)
  set_head(queue, to, goes)
  if queue.head == from and goes > stays then
    queue.head = to
  end
end

local function write_shards(queue)
  if not queue.writes then
    return
  end
  for shard, writes in pairs(queue.writes) do
    store.call_with('HSET', queues.shard_key(queue, shard), writes)
  end
  local heads = {}
  for shard, sort_key in pairs(queue.heads) do
    if sort_key > queue.top then
      queue.top, queue.head = sort_key, shard
    end
    if queue.shards > 1 then
      store.push(heads, store.whole(-sort_key), shard)
    end
  end
  store.call_with('ZADD', heads_key(queue), heads, 'LT')
  queue.writes, queue.heads = false, false
end

-- Splits as many shards as the size asks for.
function queues.make_room(queue)
  if queue.size > SHARD_LOAD * queue.shards then
    write_shards(queue)
  end
  while queue.size > SHARD_LOAD * queue.shards do
    split(queue)
  end
end

-- Writes the entries that were put.
function queues.flush(queue)
  write_shards(queue)
  if queue.size == 0 and queue.shards > 1 then
    set_shards(queue, 1)
    queue.head = 0
    redis.call('DEL', heads_key(queue))
  end
end

-- Removes an entry that is away.
function queues.drop(queue, shard, path)
  redis.call('HDEL', queues.shard_key(queue, shard), field_of(queue, path))
  queue.size, queue.changed = queue.size - 1, true
end

-- Sets the highest sort key of a shard when its first entry has gone, and with it the top and the head of the queue.
function queues.set_top(queue, shard, sort_key)
  queue.top, queue.changed = sort_key, true
  if queue.shards > 1 then
    set_head(queue, shard, sort_key)
    local head, top = unpack(redis.call('ZRANGE', heads_key(queue), 0, 0, 'WITHSCORES'))
    queue.head, queue.top = tonumber(head or 0), -tonumber(top or AWAY)
  end
end

-- Marks the first entry of a queue as away, for a lease. Returns its path and the entry.
function queues.take_first(queue)
  local shard = queue.head
  local field, value, second = highest(redis.call('HGETALL', queues.shard_key(queue, shard)))
  local entry = entries.unpack(value)
  entry.away = true
  entry.attempts = entry.attempts + 1
  redis.call('HSET', queues.shard_key(queue, shard), field, entries.pack(entry))
  queues.set_top(queue, shard, second)
  return queues.path_of(queue, field), entry
end

-- The entry of a path, nil where there is none, and its shard.
function queues.entry_at(queue, path)
  local shard = queues.shard_of(queue, slot_of_url(queue.host.name .. path))
  local value = redis.call('HGET', queues.shard_key(queue, shard), field_of(queue, path))
  return value and entries.unpack(value), shard
end

-- Resets the dividend index to 0 and adds it to every balance, so that the numbers stay exact.
function queues.rebase(queue)
  for shard = 0, queue.shards - 1 do
    local stored = redis.call('HGETALL', queues.shard_key(queue, shard))
    for index = 1, #stored, 2 do
      local entry = entries.unpack(stored[index + 1])
      if not entries.is_speculative(entry) then
        entry.balance = entry.balance + queue.dividend_index
        redis.call('HSET', queues.shard_key(queue, shard), stored[index], entries.pack(entry))
      end
    end
    if queue.shards > 1 then
      local head = -tonumber(redis.call('ZSCORE', heads_key(queue), shard) or AWAY)
      set_head(queue, shard, head > SPECULATIVE and head + queue.dividend_index or head)
    end
  end
  queue.top = queue.top > SPECULATIVE and queue.top + queue.dividend_index or queue.top
  queue.dividend_index = 0
  queue.changed = true
end

-- Credit of the first entry that may be leased, or SPECULATIVE_ONLY, or NOTHING (hosts.lua).
function queues.priority(queue)
  if queue.over_budget == 1 then
    return hosts.NOTHING
  end
  if queue.top <= SPECULATIVE then
    return queue.top == SPECULATIVE and hosts.SPECULATIVE_ONLY or hosts.NOTHING
  end
  return queue.top - entries.BIAS + queue.dividend_index
end
