-- Looks up the standings of a call's URLs: pending in a queue, ended, or unknown.

-- Local, because it is called for each URL.
local shard_of = shards.of

-- Sets `value` in the links that are pending in one shard of a queue.
local function look_in_shard(queue, shard, links)
  local name, first = shards.key(queue, shard), #shards.prefix(queue) + 1
  if not links[2] then
    links[1].value = redis.call('HGET', name, string.sub(links[1].path, first))
    return
  end
  local fields = {}
  for index = 1, #links do
    fields[index] = string.sub(links[index].path, first)
  end
  local values = redis.call('HMGET', name, unpack(fields))
  for index = 1, #links do
    links[index].value = values[index]
  end
end

-- Sets `value` in the links that are pending in their queue.
local function look_in_queues(links)
  local by_queue = {}
  for index = 1, #links do
    local link = links[index]
    local queue = link.queue
    local by_shard = by_queue[queue]
    if not by_shard then
      by_shard = {}
      by_queue[queue] = by_shard
    end
    local shard = shard_of(queue, link.slot)
    local some = by_shard[shard]
    if some then
      some[#some + 1] = link
    else
      by_shard[shard] = { link }
    end
  end
  for queue, by_shard in pairs(by_queue) do
    for shard, some in pairs(by_shard) do
      look_in_shard(queue, shard, some)
    end
  end
end

-- Sets `value` and `queue` in the links that are pending. An entry of a pattern with a queue of its own may be in the common queue, if it was
-- queued before the pattern had that queue.
local function find_pending(host, links)
  look_in_queues(links)
  local others = {}
  for index = 1, #links do
    local link = links[index]
    if not link.value and link.queue ~= host then
      link.queue = host
      others[#others + 1] = link
    end
  end
  if host.size > 0 then
    look_in_queues(others)
  end
end

-- Loads the hosts and domains of some groups in one call. The record of a host names its domain.
local function load_hosts(groups)
  local names, wanted = {}, {}
  for _, group in ipairs(groups) do
    if group.host ~= '' and not hosts.loaded[group.host] and #wanted < store.MOST_ARGUMENTS / 2 and not wanted[group.host] then
      wanted[#wanted + 1], wanted[group.host] = group, true
      store.push(names, store.key('host:' .. group.host), store.key('domain:' .. group.domain))
    end
  end
  local records = #names > 0 and redis.call('MGET', unpack(names)) or {}
  for index, group in ipairs(wanted) do
    hosts.add(group.host, records[2 * index - 1], group.domain)
    if not domains.loaded[group.domain] then
      domains.add(group.domain, records[2 * index])
    end
  end
end

-- Looks up all links: sets `value` and `queue` in pending ones, `ended` in known ones that are not pending. Hosts of candidates
-- collect dividends first: a rebase rewrites all balances, and a `value` read before it would restore an old balance.
function lookup.find(groups)
  load_hosts(groups)
  for _, group in ipairs(groups) do
    if group.host ~= '' then
      local host = hosts.of(group.host, group.domain)
      if group.class == 'c' or group.class == 'f' then
        credit.collect(host)
      end
      local known = patterns.of(host, group.patterns)
      for index = 1, #group do
        local link = group[index]
        link.pattern = known[tonumber(link.pattern)]
        link.queue = patterns.queue_of(host, link.pattern)
      end
      find_pending(host, group)
    end
    for index = 1, #group do
      local link = group[index]
      link.ended = not link.value and seen.has(link.fingerprint)
    end
  end
end
