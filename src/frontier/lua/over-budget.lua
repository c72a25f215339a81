-- Patterns that are closed. Reply: {{host, pattern, rule, fetched, held, new of the last window}, ...}.

local reply = {}
for _, member in ipairs(redis.call('HKEYS', key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local queue = queue_of(host_of(name), tonumber(number))
  reply[#reply + 1] = { name, queue.pattern, budget_rule(queue), queue.fetched, queue.skipped + queue.size, queue.judged - 1 }
end
return reply
