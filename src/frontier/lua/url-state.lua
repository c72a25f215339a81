-- Where a URL stands. Reply: {'unknown'} | {'queued', credit, attempts} | {'waiting', credit, attempts, due}
-- | {'leased', credit, attempts} | {'ended'}.

if has_ended(args.fingerprint) then
  return { 'ended' }
end
local host = host_of(args.host, args.host)
collect_queues(host)
local queue = queue_of_pattern(host, patterns_of(host, { args.pattern })[1])
local page = page_at(queue, args.path)
if not page and queue ~= host then
  queue = host
  page = page_at(queue, args.path)
end
if not page then
  return { 'unknown' }
end
local credit = whole(is_speculative(page) and 0 or page.balance + queue.dividend_index)
if not page.away then
  return { 'queued', credit, page.attempts }
end
local place = queue.number .. ' ' .. args.host .. args.path
if state.suspects > 0 and redis.call('LPOS', key('suspects'), place) then
  return { 'queued', credit, page.attempts }
end
local due = redis.call('ZSCORE', key('due'), 'r' .. place)
return due and { 'waiting', credit, page.attempts, due } or { 'leased', credit, page.attempts }
