-- Skips entries of patterns that are over budget, when nothing else is left to do.
-- Arguments:
--   now    epoch ms
--   count  entries in this call, at most
-- Reply: how many were skipped.

crawl.advance_clock(args.now)
local lines = {}

local function skip_entry(queue, shard, path, entry)
  local url, referrer = queue.host.name .. path, sources.url_of(entry.source)
  queues.drop(queue, shard, path)
  seen.add(seen.fingerprint_of(url))
  sources.use(entry.source, -1)
  queue.skipped = queue.skipped + 1
  queue.host.queued = queue.host.queued - 1
  if entries.is_speculative(entry) then
    queue.host.spec_pending = queue.host.spec_pending - 1
  else
    credit.in_transit = credit.in_transit + entry.balance + queue.dividend_index
    credit.leave(queue)
  end
  crawl.count('queued', -1)
  crawl.count('skipped', 1)
  store.push(lines, '{"url":' .. cjson.encode(url) .. ',"reason":"trap","rule":' .. cjson.encode(budget.rule(queue))
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
end

local function skip_entries(queue)
  for shard = 0, queue.shards - 1 do
    local stored = redis.call('HGETALL', queues.shard_key(queue, shard))
    for index = 1, #stored, 2 do
      local entry = entries.unpack(stored[index + 1])
      if #lines == tonumber(args.count) then
        return
      end
      if not entry.away then
        skip_entry(queue, shard, queues.path_of(queue, stored[index]), entry)
      end
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', store.key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = hosts.of(name)
  credit.collect(host)
  skip_entries(hosts.queue_of(host, tonumber(number)))
end
credit.give_to_lambda(credit.in_transit)
journal.add_skipped(lines)
sources.flush()
hosts.flush()
credit.flush()
crawl.write()
return #lines
