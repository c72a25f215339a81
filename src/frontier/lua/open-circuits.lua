-- Hosts that were given up. Reply: {{host, failures, queued}, ...}.

local reply = {}
for _, name in ipairs(redis.call('ZRANGE', key('open-circuits'), 0, -1)) do
  local host = host_of(name)
  reply[#reply + 1] = { name, host.failures, host.queued + host.waiting }
end
return reply
