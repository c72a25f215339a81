-- Lists the URL patterns over budget.
-- Arguments: none.
-- Reply: {{host, pattern, rule, pages visited, URLs not visited, new pages of the last window, entries, number of the queue}, ...}.

local reply = {}
for _, member in ipairs(redis.call('HKEYS', store.key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local queue = hosts.queue_of(hosts.of(name), tonumber(number))
  reply[#reply + 1] =
    { name, queue.pattern, budget.rule(queue), queue.fetched, queue.skipped + queue.size, queue.judged - 1, queue.size, number }
end
return reply
