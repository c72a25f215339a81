-- Skips entries of patterns over budget, and of hosts that have used up their limit, when all other work is done.
-- Arguments:
--   now    epoch ms
--   count  entries in this call, at most
--   epoch  of the caller, see includes/leader.lua
-- Reply: number of entries skipped.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local lines, most = {}, tonumber(args.count)

local function skip_entry(queue, shard, path, entry, why)
  local url, referrer, second = queue.host.name .. path, sources.url_of(entry.source), entries.again(entry)
  queues.drop(queue, shard, path)
  seen.add(seen.fingerprint_of(url))
  sources.use(entry.source, -1)
  queue.host.queued, queue.host.again = queue.host.queued - 1, queue.host.again - second
  if entries.is_speculative(entry) then
    queue.host.spec_pending = queue.host.spec_pending - 1
  else
    credit.in_transit = credit.in_transit + entry.balance + queue.dividend_index
    credit.leave(queue)
  end
  crawl.count('queued', -1)
  crawl.count('queued_again', -second)
  -- for a pending second visit, the first one stands
  if second == 1 then
    again.forget(url)
  else
    crawl.count('skipped', 1)
    store.push(lines, journal.skipped_line(url, why, referrer))
  end
end

local function skip_in_shard(queue, shard, why)
  local stored, top = redis.call('HGETALL', shards.key(queue, shard)), entries.AWAY
  for index = 1, #stored, 2 do
    local entry = entries.unpack(stored[index + 1])
    if not entry.away and #lines < most then
      skip_entry(queue, shard, shards.path_of(queue, stored[index]), entry, why)
    else
      top = math.max(top, entries.sort_key(entry))
    end
  end
  if #stored > 0 then
    queues.set_top(queue, shard, top)
  end
end

-- Skips entries of a queue whose host has collected its credit.
local function skip_entries(queue, why)
  for shard = 0, queue.shards - 1 do
    if #lines < most then
      skip_in_shard(queue, shard, why)
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', store.key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = hosts.of(name)
  credit.collect(host)
  local queue, before = hosts.queue_of(host, tonumber(number)), #lines
  skip_entries(queue, { reason = 'trap', rule = budget.rule(queue) })
  queue.skipped = queue.skipped + #lines - before
end
for _, name in ipairs(redis.call('ZRANGE', store.key('used-up'), 0, most - 1)) do
  local host = hosts.of(name)
  credit.collect(host)
  for number = 0, #lines < most and host.pattern_queues or -1 do
    skip_entries(hosts.queue_of(host, number), { reason = 'host-limit', rule = host_limit.rule(host) })
  end
end
credit.give_to_lambda(credit.in_transit)
journal.add_skipped(lines)
sources.flush()
hosts.flush()
credit.flush()
crawl.write()
return #lines
