-- Patterns that are closed. Reply: {{host, pattern, rule, fetched, held, new of the last window}, ...}.

local reply = {}
for _, member in ipairs(redis.call('HKEYS', key('over-budget'))) do
  local number, name = string.match(member, '^(%d+) (.+)$')
  local unit = unit_of(host_of(name), tonumber(number))
  reply[#reply + 1] = { name, unit.pattern, budget_rule(unit), unit.fetched, unit.skipped + unit.size, unit.judged - 1 }
end
return reply
