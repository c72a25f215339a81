-- Units: what a domain's remainder pays (credit.lua). Each has a queue. The first pages of a URL pattern stand in the common queue of
-- their host, where each is a unit of its own; a pattern that has more of them is a unit with a queue of its own. A host is
-- its common queue: number 0. Needs store, page.
--
-- A queue is a number of HASHes path -> page, its shards, each small enough to keep its packed form; of a path without the beginning that
-- all of the unit have. Linear hashing (Litwin 1980): with n shards, 2^l <= n < 2^(l+1), shards below n - 2^l and above 2^l are addressed
-- with l+1 bits and the others with l. When there are more than SHARD_LOAD pages a shard, the next one in order is split in two.
--
--   size    pages in its shards, those included that are away;  members: those that take part in credit (speculative links do not)
--   dividend index   what each member has got since it was new (credit.lua);  remainder: what is left over of that
--   top     the highest order of its pages, AWAY where none may be leased; head: the shard where that page is. With several shards the ZSET
--           `heads` has minus the highest order of each

--- @record unit top dividend_index remainder shards size members head over_budget fetched budget looked brought bred judged skipped pattern
--- @record unit | host number names place prefix full writes raised changed has_collected

--   closed  1 where its pattern is held back;  fetched, budget: pages that were, and that may be (budget.lua)
--   looked  pages of the window that judges it next;  brought: those of them that were new;  bred: that named new URLs
--   judged  0 before the first window was full, else one more than were new in the last;  held: pages that were skipped for that

local FIRST_BUDGET = 50

-- To lease a page all of its shard are looked at; a small shard costs memory for its key.
local SHARD_LOAD = 80

local function new_unit(host, number, pattern)
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
local function budget_rule(unit)
  return 'pattern ' .. unit.pattern .. ': ' .. unit.fetched .. ' fetched, ' .. (unit.judged - 1)
    .. ' of the last 25 new (pattern budget)'
end

-- A number is not made text twice in a call: that takes as long as a lookup.
local function shard_key(unit, shard)
  if not unit.names then
    unit.names, unit.place = {}, key('queue:' .. unit.host.id .. ':' .. unit.number .. ':')
  end
  local name = unit.names[shard]
  if not name then
    name = unit.place .. shard
    unit.names[shard] = name
  end
  return name
end

local function heads_key(unit)
  return key('heads:' .. unit.host.id .. ':' .. unit.number)
end

-- What all paths of a unit begin with: of a pattern what stands before its first variable part, and before its query, whose names are sorted
-- (core/traps/pattern.ts).
local function prefix_of(unit)
  unit.prefix = unit.prefix or (unit.number == 0 and '/' or string.match(unit.pattern, '^[^#@*?]*'))
  return unit.prefix
end

-- The field of a path, and the path of a field.
local function field_of(unit, path)
  return string.sub(path, #prefix_of(unit) + 1)
end

local function path_of(unit, field)
  return prefix_of(unit) .. field
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
local function full_of(unit)
  if not unit.full then
    local _, bits = math.frexp(unit.shards)
    unit.full = 2 ^ (bits - 1)
  end
  return unit.full
end

local function set_shards(unit, shards)
  unit.shards, unit.full = shards, false
end

-- The only place that says where a page stands.
local function shard_of(unit, slot)
  local shards = unit.shards
  if shards == 1 then
    return 0
  end
  local full = unit.full or full_of(unit)
  local shard = slot % full
  return shard < shards - full and slot % (full + full) or shard
end

-- Of all entries of a shard: field and value of the page of the highest priority, of equally rich ones the first in order, and the
-- order of the highest priority beside it.
local function highest(entries)
  local first, second, field, value = AWAY, AWAY, nil, nil
  for index = 2, #entries, 2 do
    local order = struct.unpack('>I7', entries[index])
    if order > first or (order == first and field and entries[index - 1] < field) then
      first, second, field, value = order, first, entries[index - 1], entries[index]
    elseif order > second then
      second = order
    end
  end
  return field, value, second
end

-- Written by flush_unit.
local function put_value(unit, shard, path, value, order)
  if not unit.writes then
    unit.writes, unit.raised, unit.changed = {}, {}, true
  end
  local list = unit.writes[shard]
  if list then
    push(list, field_of(unit, path), value)
  else
    unit.writes[shard] = { field_of(unit, path), value }
  end
  if order > (unit.raised[shard] or AWAY) then
    unit.raised[shard] = order
  end
end

local function put(unit, shard, path, page)
  put_value(unit, shard, path, pack_page(page), order_of(page))
end

-- The head of a shard is known anew.
local function set_head(unit, shard, order)
  if order == AWAY then
    redis.call('ZREM', heads_key(unit), shard)
  else
    redis.call('ZADD', heads_key(unit), whole(-order), shard)
  end
end

local function split(unit)
  local from, to = unit.shards - full_of(unit), unit.shards
  local entries = redis.call('HGETALL', shard_key(unit, from))
  set_shards(unit, to + 1)
  local fields, moved, stays, goes = {}, {}, AWAY, AWAY
  local beginning = unit.host.name .. prefix_of(unit)
  for index = 1, #entries, 2 do
    local field, value = entries[index], entries[index + 1]
    local order = struct.unpack('>I7', value)
    if shard_of(unit, slot_of_url(beginning .. field)) == to then
      push(fields, field)
      push(moved, field, value)
      goes = math.max(goes, order)
    else
      stays = math.max(stays, order)
    end
  end
  call_with('HSET', shard_key(unit, to), moved)
  call_with('HDEL', shard_key(unit, from), fields)
  set_head(unit, from, stays)
  set_head(unit, to, goes)
  if unit.head == from and goes > stays then
    unit.head = to
  end
end

local function write_shards(unit)
  if not unit.writes then
    return
  end
  for shard, writes in pairs(unit.writes) do
    call_with('HSET', shard_key(unit, shard), writes)
  end
  local heads = {}
  for shard, order in pairs(unit.raised) do
    if order > unit.top then
      unit.top, unit.head = order, shard
    end
    if unit.shards > 1 then
      push(heads, whole(-order), shard)
    end
  end
  call_with('ZADD', heads_key(unit), heads, 'LT')
  unit.writes, unit.raised = false, false
end

-- Splits as many shards as the size asks for.
local function make_room(unit)
  if unit.size > SHARD_LOAD * unit.shards then
    write_shards(unit)
  end
  while unit.size > SHARD_LOAD * unit.shards do
    split(unit)
  end
end

-- Writes what was put.
local function flush_unit(unit)
  write_shards(unit)
  if unit.size == 0 and unit.shards > 1 then
    set_shards(unit, 1)
    unit.head = 0
    redis.call('DEL', heads_key(unit))
  end
end

-- A page is no more.
local function drop(unit, shard, path)
  redis.call('HDEL', shard_key(unit, shard), field_of(unit, path))
  unit.size, unit.changed = unit.size - 1, true
end

-- The page of the highest priority of a unit goes away. Its path, and itself.
local function take_first(unit)
  local shard = unit.head
  local field, value, second = highest(redis.call('HGETALL', shard_key(unit, shard)))
  local page = unpack_page(value)
  page.away = true
  page.attempts = page.attempts + 1
  redis.call('HSET', shard_key(unit, shard), field, pack_page(page))
  unit.top = second
  if unit.shards > 1 then
    set_head(unit, shard, second)
    local head, order = unpack(redis.call('ZRANGE', heads_key(unit), 0, 0, 'WITHSCORES'))
    unit.head, unit.top = tonumber(head or 0), -tonumber(order or AWAY)
  end
  unit.changed = true
  return path_of(unit, field), page
end

-- A page that is pending under a path, and its shard; nil where there is none.
local function page_at(unit, path)
  local shard = shard_of(unit, slot_of_url(unit.host.name .. path))
  local value = redis.call('HGET', shard_key(unit, shard), field_of(unit, path))
  return value and unpack_page(value), shard
end

-- All dividend indexes begin anew at 0, so that the numbers stay exact: the balances take up what the dividend index was.
local function rebase(unit)
  for shard = 0, unit.shards - 1 do
    local entries = redis.call('HGETALL', shard_key(unit, shard))
    for index = 1, #entries, 2 do
      local page = unpack_page(entries[index + 1])
      if not is_speculative(page) then
        page.balance = page.balance + unit.dividend_index
        redis.call('HSET', shard_key(unit, shard), entries[index], pack_page(page))
      end
    end
    if unit.shards > 1 then
      local head = -tonumber(redis.call('ZSCORE', heads_key(unit), shard) or AWAY)
      set_head(unit, shard, head > SPECULATIVE and head + unit.dividend_index or head)
    end
  end
  unit.top = unit.top > SPECULATIVE and unit.top + unit.dividend_index or unit.top
  unit.dividend_index = 0
  unit.changed = true
end
