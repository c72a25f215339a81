-- Makes URLs known.
--
-- A script gets URLs in groups, after its named arguments. A group is: class (c candidates, g speculative links, s skipped, f folded), host,
-- registrable domain, depth, redirects, hops, kind, referrer, number of patterns, number of URLs; then the patterns; then for each URL its path, its
-- fingerprint, its slot (shards.lua) and the number of its pattern. A skipped URL adds the reason and its line for skipped.jsonl; a folded
-- one adds its fold in place of the reason (folds.lua).
-- No URL comes twice in a call, and groups are short enough to keep Redis' packed forms. A URL without a host (`mailto:`) has all of
-- its text as its path.

-- Local, because they are called for each URL.
local put_value, shard_of = queues.put_value, shards.of

function admission.read_groups()
  local groups, at = {}, REST
  while at <= #ARGV do
    local group = { class = ARGV[at], host = ARGV[at + 1], domain = ARGV[at + 2], depth = tonumber(ARGV[at + 3]) }
    group.redirects, group.hops = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
    group.kind, group.referrer = ARGV[at + 6], ARGV[at + 7]
    local pattern_count, link_count = tonumber(ARGV[at + 8]), tonumber(ARGV[at + 9])
    at = at + 10
    group.patterns = { unpack(ARGV, at, at + pattern_count - 1) }
    at = at + pattern_count
    for index = 1, link_count do
      local link = { path = ARGV[at], fingerprint = ARGV[at + 1], slot = tonumber(ARGV[at + 2]), pattern = ARGV[at + 3], queue = false,
        value = false, ended = false, reopened = false, new = false }
      at = at + 4
      if group.class == 's' or group.class == 'f' then
        link.reason, link.record = ARGV[at], ARGV[at + 1]
        at = at + 2
      end
      group[index] = link
    end
    groups[#groups + 1] = group
  end
  return groups
end

function admission.of_class(groups, class)
  local some = {}
  for _, group in ipairs(groups) do
    if group.class == class then
      store.push(some, group)
    end
  end
  return some
end

local has_deferred

at_each_call(function()
  has_deferred = nil
end)

-- Removes a URL from `deferred` and the seen set if it was skipped because of its links. Returns whether it was.
function admission.undefer(url, fingerprint)
  if has_deferred == nil then
    has_deferred = redis.call('EXISTS', store.key('deferred')) == 1
  end
  if not has_deferred or redis.call('HDEL', store.key('deferred'), url) == 0 then
    return false
  end
  seen.remove(fingerprint)
  crawl.count('skipped', -1)
  return true
end

-- Reopens candidates that were skipped because of their links: sets `reopened` in each. Returns the number of targets that then wait or are new,
-- and the number of those that have ended.
function admission.reopen(candidates)
  local waiting, ended = 0, 0
  for _, group in ipairs(candidates) do
    for index = 1, #group do
      local link = group[index]
      link.reopened = link.ended and admission.undefer(group.host .. link.path, link.fingerprint)
      if link.ended and not link.reopened then
        ended = ended + 1
      else
        waiting = waiting + 1
      end
    end
  end
  return waiting, ended
end

local function new_entry(group)
  return {
    depth = group.depth,
    redirects = group.redirects,
    hops = group.hops,
    kind = group.kind,
    source = sources.number_of(group.referrer),
    attempts = 0,
    deaths = 0,
    away = false,
    balance = 0,
  }
end

-- Improves a pending entry by a link: the smaller depth wins, with its referrer, and so do the fewer hops beyond the scope; a link
-- turns a speculative link into a link. Returns whether something changed.
local function improve(host, queue, entry, group)
  local confirmed = entries.is_speculative(entry)
  if entries.again(entry) == 1 then
    return false -- its first visit was made by the way recorded in it
  end
  if not confirmed and group.depth >= entry.depth and group.hops >= entry.hops then
    return false
  end
  if confirmed or group.depth < entry.depth then
    sources.use(entry.source, -1)
    entry.kind, entry.redirects, entry.source = group.kind, group.redirects, sources.number_of(group.referrer)
    sources.use(entry.source, 1)
  end
  entry.depth, entry.hops = math.min(entry.depth, group.depth), math.min(entry.hops, group.hops)
  if confirmed then
    host.spec_pending = host.spec_pending - 1
    credit.join(queue, 1)
    entry.balance = -queue.dividend_index
  end
  return true
end

-- Adds a share of credit to a pending entry, and improves the entry.
local function add_to_pending(host, link, group, share)
  local shard = shard_of(link.queue, link.slot)
  local value, sort_key = entries.credited(link.value, share, group.depth)
  if value then
    if share > 0 then
      put_value(link.queue, shard, link.path, value, sort_key)
    end
    return
  end
  local entry = entries.unpack(link.value)
  if improve(host, link.queue, entry, group) or share > 0 then
    entry.balance = entry.balance + share
    queues.put(link.queue, shard, link.path, entry)
  end
end

-- Queues new entries in one queue, each with a share of credit; speculative links get none.
local function enqueue_in(queue, links, group, share)
  local entry = new_entry(group)
  sources.use(entry.source, #links)
  queue.size, queue.changed = queue.size + #links, true
  queues.make_room(queue)
  if entries.is_speculative(entry) then
    queue.host.spec_pending = queue.host.spec_pending + #links
  else
    credit.join(queue, #links)
    entry.balance = share - queue.dividend_index
  end
  local value, sort_key = entries.pack(entry), entries.sort_key(entry)
  for index = 1, #links do
    local link = links[index]
    put_value(queue, shard_of(queue, link.slot), link.path, value, sort_key)
  end
end

-- Queues links of a group on a host, each with a share of credit.
function admission.enqueue(host, links, group, share)
  if #links == 0 then
    return
  end
  local by_queue = {}
  for index = 1, #links do
    local link = links[index]
    -- a probe is no page of its apparent pattern, and must be visited even if that is over budget; a second visit counts for no pattern
    local is_apart = group.kind == entries.PROBE or entries.again(group) == 1
    local queue = is_apart and host or patterns.admit(host, link.pattern)
    local some = by_queue[queue]
    link.queue = queue
    if some then
      some[#some + 1] = link
    else
      by_queue[queue] = { link }
    end
  end
  for queue, some in pairs(by_queue) do
    enqueue_in(queue, some, group, share)
  end
  local second = entries.again(group) * #links
  host.queued, host.again, host.changed = host.queued + #links, host.again + second, true
  crawl.count('queued', #links)
  crawl.count('queued_again', second)
end

-- Queues the candidates of a group that was looked up and reopened, each with a share of credit. Pending ones get `pending_share` or, if nil, the
-- same share. The share of ended ones stays in transit. Sets `new` in each.
function admission.admit(group, share, pending_share)
  local host = hosts.of(group.host)
  credit.collect(host)
  local coming = {}
  for _, link in ipairs(group) do
    if link.value then
      add_to_pending(host, link, group, pending_share or share)
      credit.in_transit = credit.in_transit - (pending_share or share)
    elseif not link.ended or link.reopened then
      link.new = not link.ended
      crawl.count('discovered', link.new and 1 or 0)
      coming[#coming + 1] = link
      credit.in_transit = credit.in_transit - share
    end
  end
  admission.enqueue(host, coming, group, share)
end

-- Reasons that concern the link, not the URL: another link may still make the crawl follow it.
local DEFERRABLE = { depth = true, nofollow = true, duplicate = true, ['so-far'] = true }
-- A link outside of the scope is deferred while no more than so many URLs are: pages of seeds link to much that no redirect brings into the scope.
local OUTSIDE = 'outside-so-far'
local MOST_WITH_OUTSIDE = 100000

local function is_deferrable(reason)
  return DEFERRABLE[reason] or reason == OUTSIDE and redis.call('HLEN', store.key('deferred')) < MOST_WITH_OUTSIDE
end

-- Records URLs that are not followed. Adds their lines for the journal to `lines`; a URL that may still become a candidate is deferred instead.
function admission.skip(group, lines)
  for _, link in ipairs(group) do
    if not link.value and seen.add(link.fingerprint) then
      link.new = true
      crawl.count('discovered', 1)
      crawl.count('skipped', 1)
      if is_deferrable(link.reason) then
        redis.call('HSET', store.key('deferred'), group.host .. link.path, link.record)
      else
        store.push(lines, link.record)
      end
    end
  end
end

-- Admits the groups of all other classes: skipped URLs, speculative links and folded ones. Returns the skipped ones' lines for the journal.
function admission.admit_others(groups)
  local lines = {}
  for _, group in ipairs(admission.of_class(groups, 's')) do
    admission.skip(group, lines)
  end
  for _, group in ipairs(admission.of_class(groups, 'g')) do
    speculative.admit(group)
  end
  for _, group in ipairs(admission.of_class(groups, 'f')) do
    folds.admit(group)
  end
  speculative.fill_places()
  return lines
end

-- One digit per link in the order of arrival, 1 where it was new; and the number of new ones.
function admission.flags(groups)
  local flags, new = {}, 0
  for _, group in ipairs(groups) do
    for index = 1, #group do
      flags[#flags + 1] = group[index].new and '1' or '0'
      new = new + (group[index].new and 1 or 0)
    end
  end
  return table.concat(flags), new
end

-- Appends the standing of each candidate, in the order of arrival: the number of its queue times PLACE plus the byte length of the queue's common
-- path prefix, or ENDED where it has ended for good.
local PLACE, ENDED = 2 ^ 16, -1

function admission.add_places(list, candidates)
  for _, group in ipairs(candidates) do
    for index = 1, #group do
      local link = group[index]
      list[#list + 1] = link.ended and not link.reopened and ENDED or link.queue.number * PLACE + #shards.prefix(link.queue)
    end
  end
  return list
end

function admission.add_seed(url)
  redis.call('ZADD', store.key('seeds'), 'NX', redis.call('ZCARD', store.key('seeds')), url)
end

-- Writes all changes of a script that admits URLs.
function admission.flush()
  patterns.flush()
  sources.flush()
  hosts.flush()
  credit.flush()
  crawl.write()
end
