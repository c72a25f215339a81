-- Where a URL stands. Reply: {'unknown'} | {'queued', credit, attempts} | {'waiting', credit, attempts, due}
-- | {'leased', credit, attempts} | {'ended'}.

if has_ended(args.fingerprint) then
  return { 'ended' }
end
local host = host_of(args.host, args.host)
collect_queues(host)
local queue = queue_of_pattern(host, patterns_of(host, { args.pattern })[1])
local entry = entry_at(queue, args.path)
if not entry and queue ~= host then
  queue = host
  entry = entry_at(queue, args.path)
end
if not entry then
  return { 'unknown' }
end
local credit = whole(is_speculative(entry) and 0 or entry.balance + queue.dividend_index)
if not entry.away then
  return { 'queued', credit, entry.attempts }
end
local place = queue.number .. ' ' .. args.host .. args.path
if state.suspects > 0 and redis.call('LPOS', key('suspects'), place) then
  return { 'queued', credit, entry.attempts }
end
local due = redis.call('ZSCORE', key('due'), 'r' .. place)
return due and { 'waiting', credit, entry.attempts, due } or { 'leased', credit, entry.attempts }
