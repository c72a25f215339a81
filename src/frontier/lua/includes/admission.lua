-- How URLs become known. Needs store, entry, queue, host, credit, pattern, source, seen.
--
-- URLs come in groups, after the named arguments: class (c candidates, g speculative links, s skipped), host, registrable domain, depth,
-- redirects, hops, kind, referrer, number of patterns, number of URLs; then the patterns; then of each URL path, fingerprint, slot
-- (queue.lua) and the number of its pattern, and of one that is skipped the reason and its line for skipped.jsonl. No URL comes twice in a call, and no
-- group is so long that Redis' packed forms would burst. What has no host (`mailto:`) has all of its text as its path.

local function read_groups()
  local groups, at = {}, REST
  while at <= #ARGV do
    local group = { class = ARGV[at], host = ARGV[at + 1], domain = ARGV[at + 2], depth = tonumber(ARGV[at + 3]) }
    group.redirects, group.hops = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
    group.kind, group.referrer = ARGV[at + 6], ARGV[at + 7]
    local patterns, links = tonumber(ARGV[at + 8]), tonumber(ARGV[at + 9])
    at = at + 10
    group.patterns = { unpack(ARGV, at, at + patterns - 1) }
    at = at + patterns
    for index = 1, links do
      local link = { path = ARGV[at], fingerprint = ARGV[at + 1], slot = tonumber(ARGV[at + 2]), pattern = ARGV[at + 3], queue = false,
        value = false, ended = false, reopened = false, new = false }
      at = at + 4
      if group.class == 's' then
        link.reason, link.record = ARGV[at], ARGV[at + 1]
        at = at + 2
      end
      group[index] = link
    end
    groups[#groups + 1] = group
  end
  return groups
end

-- Sets `value` in those of some links that are pending in one shard of their queue.
local function look_in_shard(queue, shard, links)
  local name, first = shard_key(queue, shard), #prefix_of(queue) + 1
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

-- Sets `value` in those that are pending in their queue.
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

-- Sets `value` and `queue` in those that are pending: a page of a pattern with a queue of its own is there, or came before it had one.
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

-- Hosts and domains that the groups are about, in one call. A host that is stored has its domain with it.
local function load_hosts(groups)
  local names, wanted = {}, {}
  for _, group in ipairs(groups) do
    if group.host ~= '' and not hosts[group.host] and #wanted < MOST_ARGUMENTS / 2 and not wanted[group.host] then
      wanted[#wanted + 1], wanted[group.host] = group, true
      push(names, key('host:' .. group.host), key('domain:' .. group.domain))
    end
  end
  local records = #names > 0 and redis.call('MGET', unpack(names)) or {}
  for index, group in ipairs(wanted) do
    known_host(group.host, records[2 * index - 1], group.domain)
    if not domains[group.domain] then
      known_domain(group.domain, records[2 * index])
    end
  end
end

-- Looks up all that is told: sets `value` and `queue` in what is pending, `ended` in what is known and not. Hosts that are paid are brought up to date
-- before: where a dividend index begins anew all balances are written anew, and a `value` that was read earlier would bring back the old one.
local function find(groups)
  load_hosts(groups)
  for _, group in ipairs(groups) do
    if group.host ~= '' then
      local host = host_of(group.host, group.domain)
      if group.class == 'c' then
        collect(host)
      end
      local patterns = patterns_of(host, group.patterns)
      for index = 1, #group do
        local link = group[index]
        link.pattern = patterns[tonumber(link.pattern)]
        link.queue = queue_of_pattern(host, link.pattern)
      end
      find_pending(host, group)
    end
    for index = 1, #group do
      local link = group[index]
      link.ended = not link.value and has_ended(link.fingerprint)
    end
  end
end

local has_deferred

at_each_call(function()
  has_deferred = nil
end)

-- Whether a URL was skipped for the way to it, and is reached by a better one now.
local function undefer(url, fingerprint)
  if has_deferred == nil then
    has_deferred = redis.call('EXISTS', key('deferred')) == 1
  end
  if not has_deferred or redis.call('HDEL', key('deferred'), url) == 0 then
    return false
  end
  forget(fingerprint)
  count('skipped', -1)
  return true
end

-- What was skipped for the way to it and is a candidate now: sets `reopened` in each. How many targets wait or are new then, and how many
-- have ended.
local function reopen(candidates)
  local waiting, ended = 0, 0
  for _, group in ipairs(candidates) do
    for index = 1, #group do
      local link = group[index]
      link.reopened = link.ended and undefer(group.host .. link.path, link.fingerprint)
      if link.ended and not link.reopened then
        ended = ended + 1
      else
        waiting = waiting + 1
      end
    end
  end
  return waiting, ended
end

-- An entry as a group describes it.
local function new_entry(group)
  return {
    depth = group.depth,
    redirects = group.redirects,
    hops = group.hops,
    kind = group.kind,
    source = source_of(group.referrer),
    attempts = 0,
    deaths = 0,
    away = false,
    balance = 0,
  }
end

-- The smaller depth wins, with the page that it came from, and the fewer hops beyond the scope; a link makes a speculative link a link. Says
-- whether something changed.
local function better(host, queue, entry, group)
  local confirmed = is_speculative(entry)
  if not confirmed and group.depth >= entry.depth and group.hops >= entry.hops then
    return false
  end
  if confirmed or group.depth < entry.depth then
    use_source(entry.source, -1)
    entry.kind, entry.redirects, entry.source = group.kind, group.redirects, source_of(group.referrer)
    use_source(entry.source, 1)
  end
  entry.depth, entry.hops = math.min(entry.depth, group.depth), math.min(entry.hops, group.hops)
  if confirmed then
    host.spec_pending = host.spec_pending - 1
    join(queue, 1)
    entry.balance = -queue.dividend_index
  end
  return true
end

local function credit_pending(host, link, group, credit)
  local shard = shard_of(link.queue, link.slot)
  local value, sort_key = credited(link.value, credit, group.depth)
  if value then
    if credit > 0 then
      put_value(link.queue, shard, link.path, value, sort_key)
    end
    return
  end
  local entry = unpack_entry(link.value)
  if better(host, link.queue, entry, group) or credit > 0 then
    entry.balance = entry.balance + credit
    put(link.queue, shard, link.path, entry)
  end
end

-- Queues pages of one queue that are new, with a share of credit each; speculative links have none.
local function enqueue_in(queue, links, group, credit)
  local entry = new_entry(group)
  use_source(entry.source, #links)
  queue.size = queue.size + #links
  make_room(queue)
  if is_speculative(entry) then
    queue.host.spec_pending = queue.host.spec_pending + #links
  else
    join(queue, #links)
    entry.balance = credit - queue.dividend_index
  end
  local value, sort_key = pack_entry(entry), sort_key_of(entry)
  for index = 1, #links do
    local link = links[index]
    put_value(queue, shard_of(queue, link.slot), link.path, value, sort_key)
  end
end

local function enqueue(host, links, group, credit)
  if #links == 0 then
    return
  end
  local by_queue = {}
  for index = 1, #links do
    local link = links[index]
    local queue = admit_to_pattern(host, link.pattern)
    local some = by_queue[queue]
    if some then
      some[#some + 1] = link
    else
      by_queue[queue] = { link }
    end
  end
  for queue, some in pairs(by_queue) do
    enqueue_in(queue, some, group, credit)
  end
  host.queued, host.changed = host.queued + #links, true
  count('queued', #links)
end

-- Queues the candidates of a group that was found and reopened, each with its credit, or adds the credit to what is pending. The credit
-- of what has ended stays in hand. Sets in each whether it was `new`. Where `pending_credit` is given, what is pending gets that.
local function admit(group, credit, pending_credit)
  local host = host_of(group.host)
  collect(host)
  local coming = {}
  for _, link in ipairs(group) do
    if link.value then
      credit_pending(host, link, group, pending_credit or credit)
      in_transit = in_transit - (pending_credit or credit)
    elseif not link.ended or link.reopened then
      link.new = not link.ended
      count('discovered', link.new and 1 or 0)
      coming[#coming + 1] = link
      in_transit = in_transit - credit
    end
  end
  enqueue(host, coming, group, credit)
end

-- Reasons that lie in the way that led to a URL, not in the URL: by another way it may be followed after all.
local DEFERRABLE = { depth = true, nofollow = true, duplicate = true, ['so-far'] = true }

-- Records URLs that are not followed; the lines for the journal are added to `lines`, unless one may still become a candidate.
local function skip(group, lines)
  for _, link in ipairs(group) do
    if not link.value and remember(link.fingerprint) then
      link.new = true
      count('discovered', 1)
      count('skipped', 1)
      if DEFERRABLE[link.reason] then
        redis.call('HSET', key('deferred'), group.host .. link.path, link.record)
      else
        push(lines, link.record)
      end
    end
  end
end

local function of_class(groups, class)
  local some = {}
  for _, group in ipairs(groups) do
    if group.class == class then
      push(some, group)
    end
  end
  return some
end

local function add_seed(url)
  redis.call('ZADD', key('seeds'), 'NX', redis.call('ZCARD', key('seeds')), url)
end

local function flush_all()
  flush_patterns()
  flush_sources()
  flush_hosts()
  flush_credit()
  write_state()
end
