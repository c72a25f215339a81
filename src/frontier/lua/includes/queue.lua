-- The queue of one host: ZSETs path -> credit, each small enough to keep its packed form (a fifth of the memory), with
-- the facts of the same paths in a HASH beside. Needs store.
--
-- Linear hashing (Litwin 1980): with n shards, 2^l <= n < 2^(l+1), shards below n - 2^l and above 2^l are addressed
-- with l+1 bits and the others with l. When there are more than SHARD_LOAD paths a shard, the next one in order is split
-- in two: at most some 200 paths are looked at, once in SHARD_LOAD insertions. Before its turn a shard may hold twice the load.
--
-- With more than one shard the ZSET `heads` holds shard -> credit of its richest path.

-- A packed form is searched from end to end: 48 takes a fifth to a third less time than 128, for 5 bytes a URL. Twice the
-- load, with what is added at a time (admission.lua) and hashing's deviations, stays below the 512 entries at which Redis unpacks.
local SHARD_LOAD = 48

local function full_shards(shards)
  local size = 1
  while size * 2 <= shards do
    size = size * 2
  end
  return size
end

-- The only place that says where a path lives: shard, and field in the HASH of facts.
local function address(host, path)
  local digest = redis.sha1hex(path)
  local field = string.sub(digest, 1, 12)
  if host.shards == 1 then
    return 0, field
  end
  local hash = tonumber(string.sub(digest, 33, 40), 16)
  local size = full_shards(host.shards)
  local shard = hash % size
  if shard < host.shards - size then
    shard = hash % (size * 2)
  end
  return shard, field
end

local function queue_key(host, shard)
  return key('queue:' .. shard .. ':' .. host.name)
end

local function facts_key(host, shard)
  return key('facts:' .. shard .. ':' .. host.name)
end

local function recount(host, shard)
  host.recount[shard] = true
end

local function raise(host, shard, credit)
  host.head = math.max(host.head, credit)
  host.changed = true
  if host.shards > 1 and credit > (host.raised[shard] or -1) then
    host.raised[shard] = credit
  end
end

local function flush_heads(host)
  if host.shards > 1 then
    for shard, credit in pairs(host.raised) do
      if not host.recount[shard] then
        redis.call('ZADD', key('heads:' .. host.name), 'GT', whole(credit), shard)
      end
    end
    for shard in pairs(host.recount) do
      local head = redis.call('ZREVRANGE', queue_key(host, shard), 0, 0, 'WITHSCORES')
      if head[1] then
        redis.call('ZADD', key('heads:' .. host.name), head[2], shard)
      else
        redis.call('ZREM', key('heads:' .. host.name), shard)
      end
    end
  end
  host.raised = {}
  host.recount = {}
end

local function split(host)
  local size = full_shards(host.shards)
  local from = host.shards - size
  local to = host.shards
  local members = redis.call('ZRANGE', queue_key(host, from), 0, -1, 'WITHSCORES')
  host.shards = host.shards + 1
  local paths, fields, added = {}, {}, {}
  for index = 1, #members, 2 do
    local shard, field = address(host, members[index])
    if shard == to then
      paths[#paths + 1] = members[index]
      fields[#fields + 1] = field
      added[#added + 1] = members[index + 1]
      added[#added + 1] = members[index]
    end
  end
  recount(host, from)
  recount(host, to)
  if #paths == 0 then
    return
  end
  local facts = redis.call('HMGET', facts_key(host, from), unpack(fields))
  local kept = {}
  for index, field in ipairs(fields) do
    kept[#kept + 1] = field
    kept[#kept + 1] = facts[index]
  end
  redis.call('ZADD', queue_key(host, to), unpack(added))
  redis.call('HSET', facts_key(host, to), unpack(kept))
  redis.call('ZREM', queue_key(host, from), unpack(paths))
  redis.call('HDEL', facts_key(host, from), unpack(fields))
end

-- Splits as many shards as the load asks for.
local function grow(host)
  while host.queued > SHARD_LOAD * host.shards do
    split(host)
  end
end

-- `facts` as text.
local function enqueue(host, path, credit, facts)
  local shard, field = address(host, path)
  redis.call('ZADD', queue_key(host, shard), whole(credit), path)
  redis.call('HSET', facts_key(host, shard), field, facts)
  host.queued = host.queued + 1
  raise(host, shard, credit)
  grow(host)
end

local function refresh_head(host)
  flush_heads(host)
  local index = host.shards > 1 and key('heads:' .. host.name) or queue_key(host, 0)
  host.head = tonumber(redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2] or '-1')
end

-- Takes the richest path out; of equally rich ones in a shard the first in the order of bytes.
local function dequeue(host)
  local shard = 0
  if host.shards > 1 then
    shard = tonumber(redis.call('ZREVRANGE', key('heads:' .. host.name), 0, 0)[1])
  end
  local credit = redis.call('ZREVRANGE', queue_key(host, shard), 0, 0, 'WITHSCORES')[2]
  local path = redis.call('ZRANGEBYSCORE', queue_key(host, shard), credit, credit, 'LIMIT', 0, 1)[1]
  local _, field = address(host, path)
  local facts = unpack_facts(redis.call('HGET', facts_key(host, shard), field))
  redis.call('ZREM', queue_key(host, shard), path)
  redis.call('HDEL', facts_key(host, shard), field)
  host.queued = host.queued - 1
  host.changed = true
  recount(host, shard)
  if host.queued == 0 and host.shards > 1 then
    host.shards = 1
    redis.call('DEL', key('heads:' .. host.name))
  end
  refresh_head(host)
  return path, tonumber(credit), facts
end

-- What is queued under a path: its credit, and its facts as text; nil where it is not queued.
local function queued_at(host, path)
  local shard, field = address(host, path)
  local credit = redis.call('ZSCORE', queue_key(host, shard), path)
  if not credit then
    return nil
  end
  return tonumber(credit), redis.call('HGET', facts_key(host, shard), field)
end
