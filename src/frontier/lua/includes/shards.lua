-- A queue (queues.lua) is several HASHes path -> entry, its shards, each small enough to keep its packed form. The fields leave out the
-- common prefix of the queue's paths. Linear hashing (Litwin 1980): with n shards, 2^l <= n < 2^(l+1), shards below n - 2^l and from 2^l on are
-- addressed with l+1 bits and the others with l. At more than SHARD_LOAD entries per shard, the next shard in order is split in two.

local AWAY = entries.AWAY
-- Entries per shard. A lease reads a whole shard; each shard costs the memory of a key.
local SHARD_LOAD = 80

-- The key of a shard. It is built once per call: formatting a number takes as long as a lookup.
function shards.key(queue, shard)
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

function shards.heads_key(queue)
  return store.key('heads:' .. queue.host.id .. ':' .. queue.number)
end

-- The common prefix of all paths of a queue. For a pattern queue: the text before the first variable part, before the query, whose names are
-- sorted, and before the first letter that paths escape (model/url/url-shape.ts).
function shards.prefix(queue)
  queue.prefix = queue.prefix or (queue.number == 0 and '/' or string.match(queue.pattern, '^[^#@*?\128-\255]*'))
  return queue.prefix
end

function shards.field_of(queue, path)
  return string.sub(path, #(queue.prefix or shards.prefix(queue)) + 1)
end

function shards.path_of(queue, field)
  return shards.prefix(queue) .. field
end

-- The slot of a URL is its fingerprint modulo 2^26; the low bits of the slot give its shard.
local SLOTS = 2 ^ 26

function shards.slot_of(fingerprint)
  local high, low = tonumber(string.sub(fingerprint, 1, -10)) or 0, tonumber(string.sub(fingerprint, -9))
  return ((high % SLOTS) * (1e9 % SLOTS) + low) % SLOTS
end

function shards.slot_of_url(url)
  return tonumber(string.sub(redis.sha1hex(url), 9, 16), 16) % SLOTS
end

-- The greatest power of two that does not exceed the number of shards.
local function full_of(queue)
  if not queue.full then
    local _, bits = math.frexp(queue.shards)
    queue.full = 2 ^ (bits - 1)
  end
  return queue.full
end

function shards.set_count(queue, count)
  queue.shards, queue.full = count, false
end

-- Maps a slot to its shard; nothing else does.
function shards.of(queue, slot)
  local count = queue.shards
  if count == 1 then
    return 0
  end
  local full = queue.full or full_of(queue)
  local shard = slot % full
  return shard < count - full and slot % (full + full) or shard
end

-- Writes the highest sort key of a shard.
function shards.set_head(queue, shard, sort_key)
  if sort_key == AWAY then
    redis.call('ZREM', shards.heads_key(queue), shard)
  else
    redis.call('ZADD', shards.heads_key(queue), store.whole(-sort_key), shard)
  end
end

-- Splits the next shard in order.
function shards.split(queue)
  local from, to = queue.shards - full_of(queue), queue.shards
  local stored = redis.call('HGETALL', shards.key(queue, from))
  shards.set_count(queue, to + 1)
  local fields, moved, stays, goes = {}, {}, AWAY, AWAY
  local beginning = queue.host.name .. shards.prefix(queue)
  for index = 1, #stored, 2 do
    local field, value = stored[index], stored[index + 1]
    local sort_key = struct.unpack('>I7', value)
    if shards.of(queue, shards.slot_of_url(beginning .. field)) == to then
      store.push(fields, field)
      store.push(moved, field, value)
      goes = math.max(goes, sort_key)
    else
      stays = math.max(stays, sort_key)
    end
  end
  store.call_with('HSET', shards.key(queue, to), moved)
  store.call_with('HDEL', shards.key(queue, from), fields)
  shards.set_head(queue, from, stays)
  shards.set_head(queue, to, goes)
  if queue.head == from and goes > stays then
    queue.head = to
  end
end

-- Has the queue more entries than its shards are meant for?
function shards.are_crowded(queue)
  return queue.size > SHARD_LOAD * queue.shards
end
