-- Reads the state of a URL.
-- Arguments:
--   fingerprint  of the URL, a decimal number
--   host         of the URL
--   path         of the URL
--   pattern      URL pattern of the URL
-- Reply: {'unknown'} | {'queued', credit, attempts} | {'waiting', credit, attempts, due} | {'leased', credit, attempts} | {'ended'}.

if seen.has(args.fingerprint) then
  return { 'ended' }
end
local host = hosts.of(args.host, args.host)
credit.collect_queues(host)
local queue = patterns.queue_of(host, patterns.of(host, { args.pattern })[1])
local entry = queues.entry_at(queue, args.path)
if not entry and queue ~= host then
  queue = host
  entry = queues.entry_at(queue, args.path)
end
if not entry then
  return { 'unknown' }
end
local amount = store.whole(entries.is_speculative(entry) and 0 or entry.balance + queue.dividend_index)
if not entry.away then
  return { 'queued', amount, entry.attempts }
end
local place = queue.number .. ' ' .. args.host .. args.path
if crawl.state.suspects > 0 and redis.call('LPOS', store.key('suspects'), place) then
  return { 'queued', amount, entry.attempts }
end
local due = redis.call('ZSCORE', store.key('due'), 'r' .. place)
return due and { 'waiting', amount, entry.attempts, due } or { 'leased', amount, entry.attempts }
