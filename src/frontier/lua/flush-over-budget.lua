-- Skips up to `count` pages of patterns that are closed, when nothing else is left to do. Reply: how many.

advance_clock(args.now)
local lines = {}

local function skip_page(queue, shard, path, page)
  local url, referrer = queue.host.name .. path, source_url(page.source)
  drop(queue, shard, path)
  remember(fingerprint_of(url))
  use_source(page.source, -1)
  queue.skipped = queue.skipped + 1
  queue.host.queued = queue.host.queued - 1
  if is_speculative(page) then
    queue.host.spec_pending = queue.host.spec_pending - 1
  else
    in_transit = in_transit + page.balance + queue.dividend_index
    leave(queue)
  end
  count('queued', -1)
  count('skipped', 1)
  push(lines, '{"url":' .. cjson.encode(url) .. ',"reason":"trap","rule":' .. cjson.encode(budget_rule(queue))
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
end

local function skip_pages(queue)
  for shard = 0, queue.shards - 1 do
    local entries = redis.call('HGETALL', shard_key(queue, shard))
    for index = 1, #entries, 2 do
      local page = unpack_page(entries[index + 1])
      if #lines == tonumber(args.count) then
        return
      end
      if not page.away then
        skip_page(queue, shard, path_of(queue, entries[index]), page)
      end
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = host_of(name)
  collect(host)
  skip_pages(queue_of(host, tonumber(number)))
end
give_to_lambda(in_transit)
write_skipped(lines)
flush_sources()
flush_hosts()
flush_credit()
write_state()
return #lines
