-- Queues: what a domain's remainder pays (credit.lua). Each has a queue. The first pages of a URL pattern stand in the common queue of
-- their host, where each is a queue of its own; a pattern that has more of them is a queue with a queue of its own. A host is
-- its common queue: number 0. Needs store, entry.
--
-- A queue is a number of HASHes path -> page, its shards, each small enough to keep its packed form; of a path without the beginning that
-- all of the queue have. Linear hashing (Litwin 1980): with n shards, 2^l <= n < 2^(l+1), shards below n - 2^l and above 2^l are addressed
-- with l+1 bits and the others with l. When there are more than SHARD_LOAD pages a shard, the next one in order is split in two.
--
--   size    pages in its shards, those included that are away;  members: those that take part in credit (speculative links do not)
--   dividend index   what each member has got since it was new (credit.lua);  remainder: what is left over of that
--   top     the highest sort key of its pages, AWAY where none may be leased; head: the shard where that page is. With several shards the ZSET
--           `heads` has minus the highest sort key of each

--- @record queue top dividend_index remainder shards size members head over_budget fetched budget looked brought bred judged skipped pattern
--- @record queue | host number names place prefix full writes raised changed has_collected

--   closed  1 where its pattern is held back;  fetched, budget: pages that were, and that may be (budget.lua)
--   looked  pages of the window that judges it next;  brought: those of them that were new;  bred: that named new URLs
--   judged  0 before the first window was full, else one more than were new in the last;  held: pages that were skipped for that

local FIRST_BUDGET = 50

-- To lease a page all of its shard are looked at; a small shard costs memory for its key.
local SHARD_LOAD = 80

local function new_queue(host, number, pattern)
  return {
    host = host,
    number = number,
    names = false,
    place = false,
    prefix = false,
    full = false,
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

-- What is said of a page that is held back by the budget of its pattern.
local function budget_rule(queue)
  return 'pattern ' .. queue.pattern .. ': ' .. queue.fetched .. ' fetched, ' .. (queue.judged - 1)
    .. ' of the last 25 new (pattern budget)'
end

-- A number is not made text twice in a call: that takes as long as a lookup.
local function shard_key(queue, shard)
  if not queue.names then
    queue.names, queue.place = {}, key('queue:' .. queue.host.id .. ':' .. queue.number .. ':')
  end
  local name = queue.names[shard]
  if not name then
    name = queue.place .. shard
    queue.names[shard] = name
  end
  return name
end

local function heads_key(queue)
  return key('heads:' .. queue.host.id .. ':' .. queue.number)
end

-- What all paths of a queue begin with: of a pattern what stands before its first variable part, and before its query, whose names are sorted
-- (core/traps/pattern.ts).
local function prefix_of(queue)
  queue.prefix = queue.prefix or (queue.number == 0 and '/' or string.match(queue.pattern, '^[^#@*?]*'))
  return queue.prefix
end

-- The field of a path, and the path of a field.
local function field_of(queue, path)
  return string.sub(path, #prefix_of(queue) + 1)
end

local function path_of(queue, field)
  return prefix_of(queue) .. field
end

-- The slot of a URL is its fingerprint modulo 2^26; the shard is a part of that.
local SLOTS = 2 ^ 26

local function slot_of(fingerprint)
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

-- The only place that says where a page stands.
local function shard_of(queue, slot)
  local shards = queue.shards
  if shards == 1 then
    return 0
  end
  local full = queue.full or full_of(queue)
  local shard = slot % full
  return shard < shards - full and slot % (full + full) or shard
end

-- Of all entries of a shard: field and value of the page of the highest priority, of equally rich ones the first in order, and the
-- order of the highest priority beside it.
local function highest(entries)
  local first, second, field, value = AWAY, AWAY, nil, nil
  for index = 2, #entries, 2 do
    local sort_key = struct.unpack('>I7', entries[index])
    if sort_key > first or (sort_key == first and field and entries[index - 1] < field) then
      first, second, field, value = sort_key, first, entries[index - 1], entries[index]
    elseif sort_key > second then
      second = sort_key
    end
  end
  return field, value, second
end

-- Written by flush_queue.
local function put_value(queue, shard, path, value, sort_key)
  if not queue.writes then
    queue.writes, queue.raised, queue.changed = {}, {}, true
  end
  local list = queue.writes[shard]
  if list then
    push(list, field_of(queue, path), value)
  else
    queue.writes[shard] = { field_of(queue, path), value }
  end
  if sort_key > (queue.raised[shard] or AWAY) then
    queue.raised[shard] = sort_key
  end
end

local function put(queue, shard, path, entry)
  put_value(queue, shard, path, pack_entry(entry), sort_key_of(entry))
end

-- The head of a shard is known anew.
local function set_head(queue, shard, sort_key)
  if sort_key == AWAY then
    redis.call('ZREM', heads_key(queue), shard)
  else
    redis.call('ZADD', heads_key(queue), whole(-sort_key), shard)
  end
end

local function split(queue)
  local from, to = queue.shards - full_of(queue), queue.shards
  local entries = redis.call('HGETALL', shard_key(queue, from))
  set_shards(queue, to + 1)
  local fields, moved, stays, goes = {}, {}, AWAY, AWAY
  local beginning = queue.host.name .. prefix_of(queue)
  for index = 1, #entries, 2 do
    local field, value = entries[index], entries[index + 1]
    local sort_key = struct.unpack('>I7', value)
    if shard_of(queue, slot_of_url(beginning .. field)) == to then
      push(fields, field)
      push(moved, field, value)
      goes = math.max(goes, sort_key)
    else
      stays = math.max(stays, sort_key)
    end
  end
  call_with('HSET', shard_key(queue, to), moved)
  call_with('HDEL', shard_key(queue, from), fields)
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
    call_with('HSET', shard_key(queue, shard), writes)
  end
  local heads = {}
  for shard, sort_key in pairs(queue.raised) do
    if sort_key > queue.top then
      queue.top, queue.head = sort_key, shard
    end
    if queue.shards > 1 then
      push(heads, whole(-sort_key), shard)
    end
  end
  call_with('ZADD', heads_key(queue), heads, 'LT')
  queue.writes, queue.raised = false, false
end

-- Splits as many shards as the size asks for.
local function make_room(queue)
  if queue.size > SHARD_LOAD * queue.shards then
    write_shards(queue)
  end
  while queue.size > SHARD_LOAD * queue.shards do
    split(queue)
  end
end

-- Writes what was put.
local function flush_queue(queue)
  write_shards(queue)
  if queue.size == 0 and queue.shards > 1 then
    set_shards(queue, 1)
    queue.head = 0
    redis.call('DEL', heads_key(queue))
  end
end

-- A page is no more.
local function drop(queue, shard, path)
  redis.call('HDEL', shard_key(queue, shard), field_of(queue, path))
  queue.size, queue.changed = queue.size - 1, true
end

-- The page of the highest priority of a queue goes away. Its path, and itself.
local function take_first(queue)
  local shard = queue.head
  local field, value, second = highest(redis.call('HGETALL', shard_key(queue, shard)))
  local entry = unpack_entry(value)
  entry.away = true
  entry.attempts = entry.attempts + 1
  redis.call('HSET', shard_key(queue, shard), field, pack_entry(entry))
  queue.top = second
  if queue.shards > 1 then
    set_head(queue, shard, second)
    local head, sort_key = unpack(redis.call('ZRANGE', heads_key(queue), 0, 0, 'WITHSCORES'))
    queue.head, queue.top = tonumber(head or 0), -tonumber(sort_key or AWAY)
  end
  queue.changed = true
  return path_of(queue, field), entry
end

-- A page that is pending under a path, and its shard; nil where there is none.
local function entry_at(queue, path)
  local shard = shard_of(queue, slot_of_url(queue.host.name .. path))
  local value = redis.call('HGET', shard_key(queue, shard), field_of(queue, path))
  return value and unpack_entry(value), shard
end

-- All dividend indexes begin anew at 0, so that the numbers stay exact: the balances take up what the dividend index was.
local function rebase(queue)
  for shard = 0, queue.shards - 1 do
    local entries = redis.call('HGETALL', shard_key(queue, shard))
    for index = 1, #entries, 2 do
      local entry = unpack_entry(entries[index + 1])
      if not is_speculative(entry) then
        entry.balance = entry.balance + queue.dividend_index
        redis.call('HSET', shard_key(queue, shard), entries[index], pack_entry(entry))
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
