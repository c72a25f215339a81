-- Skips up to `count` pages of patterns that are closed and of hosts that are spent, when nothing else is left to do. Reply: how many.

advance_clock(args.now)
local lines = {}

local function skip_page(unit, shard, path, page, why)
  local url, referrer = unit.host.name .. path, source_url(page.source)
  drop(unit, shard, path)
  remember(fingerprint_of(url))
  use_source(page.source, -1)
  unit.host.queued = unit.host.queued - 1
  if is_speculative(page) then
    unit.host.spec_pending = unit.host.spec_pending - 1
  else
    in_hand = in_hand + page.off + unit.level
    leave(unit)
  end
  count('queued', -1)
  count('skipped', 1)
  push(lines, '{"url":' .. cjson.encode(url) .. ',"reason":"' .. why.reason .. '","rule":' .. cjson.encode(why.rule)
    .. ',"referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
end

-- The richest page of a shard is another one now, or none is left.
local function lower_top(unit, shard, top)
  unit.top = top
  if unit.shards > 1 then
    set_head(unit, shard, top)
    local head, order = unpack(redis.call('ZRANGE', heads_key(unit), 0, 0, 'WITHSCORES'))
    unit.head, unit.top = tonumber(head or 0), -tonumber(order or AWAY)
  end
end

local function skip_pages(unit, why)
  for shard = 0, unit.shards - 1 do
    local entries, top = redis.call('HGETALL', shard_key(unit, shard)), AWAY
    for index = 1, #entries, 2 do
      local page = unpack_page(entries[index + 1])
      if not page.away and #lines < tonumber(args.count) then
        skip_page(unit, shard, path_of(unit, entries[index]), page, why)
      else
        top = math.max(top, order_of(page))
      end
    end
    if #entries > 0 then
      lower_top(unit, shard, top)
    end
    if #lines == tonumber(args.count) then
      return
    end
  end
end

for _, member in ipairs(redis.call('HKEYS', key('closed'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local host = host_of(name)
  accrue_host(host)
  local unit = unit_of(host, tonumber(number))
  local before = #lines
  skip_pages(unit, { reason = 'trap', rule = budget_rule(unit) })
  unit.held = unit.held + #lines - before
end
for _, name in ipairs(redis.call('ZRANGE', key('spent'), 0, tonumber(args.count) - 1)) do
  if #lines == tonumber(args.count) then
    break
  end
  local host = host_of(name)
  accrue_host(host)
  for number = 0, host.units do
    skip_pages(unit_of(host, number), { reason = 'host-limit', rule = quota.rule(host) })
  end
end
give_to_lambda(in_hand)
write_skipped(lines)
flush_sources()
flush_hosts()
flush_credit()
close_books()
return #lines
