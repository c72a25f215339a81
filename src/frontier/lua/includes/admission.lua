-- How URLs become known. Needs store, page, unit, host, credit, pattern, source, seen.
--
-- URLs come in groups, after the named arguments: class (c candidates, g guesses, s skipped), host, registrable domain, depth,
-- redirects, hops, kind, referrer, number of patterns, number of URLs; then the patterns; then of each URL path, fingerprint and the
-- number of its pattern, and of one that is skipped the reason and its line for skipped.jsonl. No URL comes twice in a call, and no
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
      local link = { path = ARGV[at], fingerprint = ARGV[at + 1], pattern = ARGV[at + 2] }
      at = at + 3
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

-- Finds those that are pending in a unit: their `value`.
local function look_in(unit, links)
  if unit.size == 0 then
    return
  end
  local by_shard = {}
  for _, link in ipairs(links) do
    local shard = shard_of(unit, link.slot)
    by_shard[shard] = by_shard[shard] or {}
    push(by_shard[shard], link)
  end
  for shard, some in pairs(by_shard) do
    local paths = {}
    for index, link in ipairs(some) do
      paths[index] = link.path
    end
    for index, value in ipairs(redis.call('HMGET', shard_key(unit, shard), unpack(paths))) do
      if value then
        some[index].unit, some[index].value = unit, value
      end
    end
  end
end

-- Those that are pending: a page of a pattern with a queue of its own is there, or came before it had one.
local function find_pending(host, links)
  local common, by_unit = {}, {}
  for _, link in ipairs(links) do
    local unit = unit_of_pattern(host, link.pattern)
    by_unit[unit] = by_unit[unit] or {}
    push(by_unit[unit], link)
  end
  for unit, some in pairs(by_unit) do
    if unit ~= host then
      look_in(unit, some)
    end
    for _, link in ipairs(some) do
      if not link.value then
        push(common, link)
      end
    end
  end
  look_in(host, common)
end

-- Looks up all that is told: sets `value` and `unit` in what is pending, `ended` in what is known and not. Hosts that are paid are settled
-- before: where a level begins anew all offs are written anew, and a `value` that was read earlier would bring back the old one.
local function find(groups)
  for _, group in ipairs(groups) do
    if group.host ~= '' then
      local host = host_of(group.host, group.domain)
      if group.class == 'c' then
        settle_host(host)
      end
      local patterns = patterns_of(host, group.patterns)
      for _, link in ipairs(group) do
        link.pattern, link.slot = patterns[tonumber(link.pattern)], slot_of(link.fingerprint)
      end
      find_pending(host, group)
    end
    for _, link in ipairs(group) do
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

-- A page as a group tells of it.
local function new_page(group)
  return {
    depth = group.depth,
    redirects = group.redirects,
    hops = group.hops,
    kind = group.kind,
    source = source_of(group.referrer),
    attempts = 0,
    away = false,
    off = 0,
  }
end

-- The smaller depth wins, with the page that it came from, and the fewer hops beyond the scope; a link makes a guess a link. Says
-- whether something changed.
local function better(host, unit, page, group)
  local confirmed = is_guess(page)
  if not confirmed and group.depth >= page.depth and group.hops >= page.hops then
    return false
  end
  if confirmed or group.depth < page.depth then
    use_source(page.source, -1)
    page.kind, page.redirects, page.source = group.kind, group.redirects, source_of(group.referrer)
    use_source(page.source, 1)
  end
  page.depth, page.hops = math.min(page.depth, group.depth), math.min(page.hops, group.hops)
  if confirmed then
    host.guesses = host.guesses - 1
    join(unit)
    page.off = -unit.level
  end
  return true
end

local function credit_pending(host, link, group, credit)
  local page = unpack_page(link.value)
  if better(host, link.unit, page, group) or credit > 0 then
    page.off = page.off + credit
    put(link.unit, shard_of(link.unit, link.slot), link.path, page)
  end
end

-- Queues pages that are new, with a share of credit each; guesses have none.
local function enqueue(host, links, group, credit)
  local coming = {}
  for _, link in ipairs(links) do
    link.unit = admit_to_pattern(host, link.pattern)
    coming[link.unit] = (coming[link.unit] or 0) + 1
  end
  for unit, number in pairs(coming) do
    unit.size = unit.size + number
    make_room(unit)
  end
  for _, link in ipairs(links) do
    local page = new_page(group)
    use_source(page.source, 1)
    if is_guess(page) then
      host.guesses = host.guesses + 1
    else
      join(link.unit)
      page.off = credit - link.unit.level
    end
    put(link.unit, shard_of(link.unit, link.slot), link.path, page)
  end
  host.queued, host.changed = host.queued + #links, true
  count('queued', #links)
end

-- Queues the candidates of a group that was found, each with its credit, or adds the credit to what is pending. The credit of what
-- has ended stays in hand. Sets in each whether it was `new`. Where `pending_credit` is given, what is pending gets that.
local function admit(group, credit, pending_credit)
  local host = host_of(group.host)
  settle_host(host)
  local coming = {}
  for _, link in ipairs(group) do
    if link.value then
      credit_pending(host, link, group, pending_credit or credit)
      in_hand = in_hand - (pending_credit or credit)
    elseif not link.ended or undefer(host.name .. link.path, link.fingerprint) then
      link.new = not link.ended
      count('discovered', link.new and 1 or 0)
      push(coming, link)
      in_hand = in_hand - credit
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
  close_books()
end
