-- Skips up to `count` pages of patterns that are closed, when nothing else is left to do. Reply: how many.

advance_clock(args.now)
local lines = {}

local function skip_page(unit, shard, path, page)
  local url, referrer = unit.host.name .. path, source_url(page.source)
  drop(unit, shard, path)
  remember(fingerprint_of(url))
  use_source(page.source, -1)
  unit.skipped = unit.skipped + 1
  unit.host.queued = unit.host.queued - 1
  if is_speculative(page) then
    unit.host.spec_pending = unit.host.spec_pending - 1
  else
    in_transit = in_transit + page.balance + unit.dividend_index
    leave(unit)
  end
  count('queued', -1)
  count('skipped', 1)
  push(lines, '{"url":' .. cjson.encode(url) .. ',"reason":"trap","rule":' .. cjson.encode(budget_rule(unit))
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
end

local function skip_pages(unit)
  for shard = 0, unit.shards - 1 do
    local entries = redis.call('HGETALL', shard_key(unit, shard))
    for index = 1, #entries, 2 do
      local page = unpack_page(entries[index + 1])
      if #lines == tonumber(args.count) then
        return
      end
      if not page.away then
        skip_page(unit, shard, path_of(unit, entries[index]), page)
      end
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = host_of(name)
  collect(host)
  skip_pages(unit_of(host, tonumber(number)))
end
give_to_lambda(in_transit)
write_skipped(lines)
flush_sources()
flush_hosts()
flush_credit()
write_state()
return #lines
