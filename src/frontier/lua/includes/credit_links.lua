-- Links to URLs that their sender knows to be pending, so that they only bring credit: their standing was the reply to an earlier commit. An entry
-- never changes its queue, and its depth and hops only fall, so the sender's knowledge holds as long as the URL is pending.
--
-- These groups come before all others. A group is: k, host, number of the queue, its URLs: for each its path after the queue's common prefix
-- (shards.prefix), and its slot, each followed by a space. All URLs are one argument: a page may have thousands, and separate arguments cost the
-- sender, the server and the script more than splitting here.
local URL = '([^ ]*) (%d+) '

-- Reads the groups from the arguments.
function credit_links.read_groups()
  local groups, at = {}, REST
  while ARGV[at] == 'k' do
    groups[#groups + 1] = { host = ARGV[at + 1], queue = tonumber(ARGV[at + 2]), urls = ARGV[at + 3] }
    at = at + 4
  end
  REST = at
  return groups
end

local function load_hosts(groups)
  local names, wanted = {}, {}
  for _, group in ipairs(groups) do
    local name = group.host
    if not hosts.loaded[name] and not wanted[name] then
      wanted[name] = true
      wanted[#wanted + 1] = name
      names[#names + 1] = store.key('host:' .. name)
    end
  end
  local records = #names > 0 and redis.call('MGET', unpack(names)) or {}
  for index, name in ipairs(wanted) do
    if records[index] then
      hosts.add(name, records[index])
    end
  end
end

-- Has a URL ended for good? A URL skipped so far may be queued again, and an unknown URL must be admitted.
local function has_ended(url)
  return redis.call('HEXISTS', store.key('deferred'), url) == 0 and seen.has(seen.fingerprint_of(url))
end

-- Looks up the entries of one shard, and counts URLs that have ended. Returns false if a URL is neither pending nor ended, unless
-- `is_late`.
local function look_in_shard(group, some, is_late)
  local name, fields, values = some.name, some, {}
  local found = fields[2] and redis.call('HMGET', name, unpack(fields)) or { redis.call('HGET', name, fields[1]) }
  local waiting = {}
  for index = 1, #fields do
    if found[index] then
      waiting[#waiting + 1], values[#values + 1] = fields[index], found[index]
    elseif is_late or has_ended(group.host .. shards.path_of(group.queue, fields[index])) then
      group.ended = group.ended + 1
    else
      return false
    end
  end
  group.waiting = group.waiting + #waiting
  some.fields, some.values = waiting, values
  return true
end

local function find_in_queue(group, is_late)
  local queue, by_shard = group.queue, {}
  group.by_shard, group.waiting, group.ended = by_shard, 0, 0
  for field, slot in string.gmatch(group.urls, URL) do
    local shard = shards.of(queue, tonumber(slot))
    local some = by_shard[shard]
    if some then
      some[#some + 1] = field
    else
      by_shard[shard] = { name = shards.key(queue, shard), field }
    end
  end
  for _, some in pairs(by_shard) do
    if not look_in_shard(group, some, is_late) then
      return false
    end
  end
  return true
end

-- Looks up the standings of the links; changes nothing. Returns false if the sender is wrong about one: Redis may have lost the state that it
-- reported, or the URL was skipped so far since. Then all links must be sent in full.
function credit_links.find(groups)
  load_hosts(groups)
  for _, group in ipairs(groups) do
    local host = hosts.loaded[group.host]
    if not host or group.queue > host.pattern_queues then
      return false
    end
    group.queue = hosts.queue_of(host, group.queue)
    if not find_in_queue(group) then
      return false
    end
  end
  return true
end

-- Like `find`, for credit that arrives later (exchange.lua): a URL gets credit only if it is still pending, whatever its state. Returns the
-- groups that may have pending URLs.
function credit_links.find_late(groups)
  load_hosts(groups)
  local found = {}
  for _, group in ipairs(groups) do
    local host = hosts.loaded[group.host]
    if host and group.queue <= host.pattern_queues then
      group.queue = hosts.queue_of(host, group.queue)
      find_in_queue(group, true)
      found[#found + 1] = group
    end
  end
  return found
end

-- Number of links that wait, and number of those that have ended.
function credit_links.count(groups)
  local waiting, ended = 0, 0
  for _, group in ipairs(groups) do
    waiting, ended = waiting + group.waiting, ended + group.ended
  end
  return waiting, ended
end

-- Adds credit to an entry that may be away or leased.
local function add_to_any(queue, shard, field, value, share)
  local entry = entries.unpack(value)
  entry.balance = entry.balance + share
  queues.put_field(queue, shard, field, entries.pack(entry), entries.sort_key(entry))
end

local function pay_shard(queue, shard, some, share)
  -- a dividend collected in the meantime may have rewritten all balances
  local values = queue.rebased and redis.call('HMGET', some.name, unpack(some.fields)) or some.values
  for index, field in ipairs(some.fields) do
    local value, sort_key = entries.credited(values[index], share, math.huge)
    if value then
      queues.put_field(queue, shard, field, value, sort_key)
    else
      add_to_any(queue, shard, field, values[index], share)
    end
  end
end

-- Adds a share of credit to each waiting URL.
function credit_links.pay(groups, share)
  for _, group in ipairs(groups) do
    credit.collect(group.queue.host)
    for shard, some in pairs(group.by_shard) do
      if share > 0 and some.fields[1] then
        pay_shard(group.queue, shard, some, share)
      end
    end
    credit.in_transit = credit.in_transit - share * group.waiting
  end
end
