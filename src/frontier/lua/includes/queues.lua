-- Queues of a host. The first entries of each URL pattern go to the common queue of the host, number 0, which is part of the host's
-- record. A pattern with more entries gets a queue of its own (patterns.lua). The entries of a queue are in its shards (shards.lua).

--- @record queues
---   top             highest sort key of its entries, AWAY where none may be leased
---   dividend_index  payments to each member since it joined at 0 (credit.lua)
---   remainder       credit left over from dividing a dividend among the members
---   shards          number of shards
---   size            entries in its shards, including those that are away
---   members         entries that take part in credit: all but speculative links
---   head            number of the shard with the highest sort key
---   over_budget     1 where its pattern has used up its budget: its entries are neither leased nor paid
---   fetched         visited URLs of the pattern that could tell whether their page was new
---   budget          most of these to visit (budget.lua)
---   looked          visits in the current window of judgement
---   brought         visits in that window with a new page
---   bred            visits in that window whose page named new URLs that may be followed
---   judged          0 before the first full window, else 1 plus the number of new pages in the last one
---   skipped         entries skipped because the pattern was over budget
---   pattern         text of the pattern
--- @unpacked
---   host            the host it belongs to
---   number          its number among the pattern queues of the host, from 1
---   names           cache: shard -> key
---   place           cache: prefix of the keys of its shards
---   prefix          cache: see shards.prefix
---   full            cache: see full_of in shards.lua
---   writes          shard -> fields and values to be written
---   heads           shard -> highest sort key among those values
---   changed         its record must be written; putting entries changes the record only if it raises the top
---   rebased         its balances were rewritten in this call
---   has_collected   it got a dividend in this call

local AWAY, SPECULATIVE = entries.AWAY, entries.SPECULATIVE
local FIRST_BUDGET = 50
-- Local, because it is called for each URL.
local field_of = shards.field_of

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
    rebased = false,
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

-- Finds the entry with the highest sort key among the fields and values of a shard; among equal ones, the first by field. Returns its field, its
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
  queues.put_field(queue, shard, field_of(queue, path), value, sort_key)
end

-- Does the same for a path whose field is known.
function queues.put_field(queue, shard, field, value, sort_key)
  if not queue.writes then
    queue.writes, queue.heads = {}, {}
  end
  local list = queue.writes[shard]
  if list then
    store.push(list, field, value)
  else
    queue.writes[shard] = { field, value }
  end
  if sort_key > (queue.heads[shard] or AWAY) then
    queue.heads[shard] = sort_key
  end
end

function queues.put(queue, shard, path, entry)
  queues.put_value(queue, shard, path, entries.pack(entry), entries.sort_key(entry))
end

-- Writes the put entries.
local function write_shards(queue)
  if not queue.writes then
    return
  end
  for shard, writes in pairs(queue.writes) do
    store.call_with('HSET', shards.key(queue, shard), writes)
  end
  local heads = {}
  for shard, sort_key in pairs(queue.heads) do
    if sort_key > queue.top then
      queue.top, queue.head, queue.changed = sort_key, shard, true
    end
    if queue.shards > 1 then
      store.push(heads, store.whole(-sort_key), shard)
    end
  end
  store.call_with('ZADD', shards.heads_key(queue), heads, 'LT')
  queue.writes, queue.heads = false, false
end

-- Splits shards until the size fits.
function queues.make_room(queue)
  if shards.are_crowded(queue) then
    write_shards(queue)
  end
  while shards.are_crowded(queue) do
    shards.split(queue)
  end
end

-- Writes the put entries, and sets `changed` if the record must be written.
function queues.flush(queue)
  write_shards(queue)
  if queue.size == 0 and queue.shards > 1 then
    shards.set_count(queue, 1)
    queue.head = 0
    redis.call('DEL', shards.heads_key(queue))
  end
end

-- Removes an entry that is away.
function queues.drop(queue, shard, path)
  redis.call('HDEL', shards.key(queue, shard), field_of(queue, path))
  queue.size, queue.changed = queue.size - 1, true
end

-- Sets the highest sort key of a shard whose first entry has left, and with it the top and the head of the queue.
function queues.set_top(queue, shard, sort_key)
  queue.top, queue.changed = sort_key, true
  if queue.shards > 1 then
    shards.set_head(queue, shard, sort_key)
    local head, top = unpack(redis.call('ZRANGE', shards.heads_key(queue), 0, 0, 'WITHSCORES'))
    queue.head, queue.top = tonumber(head or 0), -tonumber(top or AWAY)
  end
end

-- Marks the first entry of a queue as away, for a lease. Returns its path and the entry.
function queues.take_first(queue)
  local shard = queue.head
  local field, value, second = highest(redis.call('HGETALL', shards.key(queue, shard)))
  local entry = entries.unpack(value)
  entry.away = true
  entry.attempts = entry.attempts + 1
  redis.call('HSET', shards.key(queue, shard), field, entries.pack(entry))
  queues.set_top(queue, shard, second)
  return shards.path_of(queue, field), entry
end

-- Returns the entry of a path, nil where there is none, and its shard.
function queues.entry_at(queue, path)
  local shard = shards.of(queue, shards.slot_of_url(queue.host.name .. path))
  local value = redis.call('HGET', shards.key(queue, shard), field_of(queue, path))
  return value and entries.unpack(value), shard
end

-- Resets the dividend index to 0 and adds it to every balance, so that the numbers stay exact.
function queues.rebase(queue)
  for shard = 0, queue.shards - 1 do
    local stored = redis.call('HGETALL', shards.key(queue, shard))
    for index = 1, #stored, 2 do
      local entry = entries.unpack(stored[index + 1])
      if not entries.is_speculative(entry) then
        entry.balance = entry.balance + queue.dividend_index
        redis.call('HSET', shards.key(queue, shard), stored[index], entries.pack(entry))
      end
    end
    if queue.shards > 1 then
      local head = -tonumber(redis.call('ZSCORE', shards.heads_key(queue), shard) or AWAY)
      shards.set_head(queue, shard, head > SPECULATIVE and head + queue.dividend_index or head)
    end
  end
  queue.top = queue.top > SPECULATIVE and queue.top + queue.dividend_index or queue.top
  queue.dividend_index = 0
  queue.changed, queue.rebased = true, true
end

-- Returns the credit of the first entry that may be leased, or SPECULATIVE_ONLY, or NOTHING (hosts.lua).
function queues.priority(queue)
  if queue.over_budget == 1 then
    return hosts.NOTHING
  end
  if queue.top <= SPECULATIVE then
    return queue.top == SPECULATIVE and hosts.SPECULATIVE_ONLY or hosts.NOTHING
  end
  return queue.top - entries.BIAS + queue.dividend_index
end
