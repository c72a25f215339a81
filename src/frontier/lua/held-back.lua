-- Reads entries that would be skipped if the crawl ended now: those of a pattern over budget, or of a host that has used up its limit.
-- Changes nothing.
-- Arguments:
--   host   owner of the entries
--   queue  number of its queue; 0 for the common one
--   shard  number of the queue's shard
--   why    trap or host-limit
-- Reply: {the host's pattern queues, shards of the queue, a line for skipped.jsonl, ...}. Cost: O(entries of the shard).

local host = hosts.of(args.host)
local queue, shard = hosts.queue_of(host, tonumber(args.queue)), tonumber(args.shard)
local reply = { host.pattern_queues, queue.shards }
local is_trap = args.why == 'trap'
if is_trap ~= (queue.over_budget == 1) then
  return reply
end
local why = { reason = args.why, rule = is_trap and budget.rule(queue) or host_limit.rule(host) }
local stored = redis.call('HGETALL', shards.key(queue, shard))
for index = 1, #stored, 2 do
  local entry = entries.unpack(stored[index + 1])
  if not entry.away and entries.again(entry) == 0 then
    local url = host.name .. shards.path_of(queue, stored[index])
    reply[#reply + 1] = journal.skipped_line(url, why, sources.url_of(entry.source))
  end
end
return reply
