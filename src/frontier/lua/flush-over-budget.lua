-- Skips up to `count` pages of patterns that are closed, when nothing else is left to do. Reply: how many.

advance_clock(args.now)
local lines = {}

local function skip_entry(queue, shard, path, entry)
  local url, referrer = queue.host.name .. path, source_url(entry.source)
  drop(queue, shard, path)
  remember(fingerprint_of(url))
  use_source(entry.source, -1)
  queue.skipped = queue.skipped + 1
  queue.host.queued = queue.host.queued - 1
  if is_speculative(entry) then
    queue.host.spec_pending = queue.host.spec_pending - 1
  else
    in_transit = in_transit + entry.balance + queue.dividend_index
    leave(queue)
  end
  count('queued', -1)
  count('skipped', 1)
  push(lines, '{"url":' .. cjson.encode(url) .. ',"reason":"trap","rule":' .. cjson.encode(budget_rule(queue))
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
end

local function skip_entries(queue)
  for shard = 0, queue.shards - 1 do
    local entries = redis.call('HGETALL', shard_key(queue, shard))
    for index = 1, #entries, 2 do
      local entry = unpack_entry(entries[index + 1])
      if #lines == tonumber(args.count) then
        return
      end
      if not entry.away then
        skip_entry(queue, shard, path_of(queue, entries[index]), entry)
      end
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = host_of(name)
  collect(host)
  skip_entries(queue_of(host, tonumber(number)))
end
give_to_lambda(in_transit)
write_skipped(lines)
flush_sources()
flush_hosts()
flush_credit()
write_state()
return #lines
