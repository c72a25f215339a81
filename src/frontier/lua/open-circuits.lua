-- Lists the hosts whose circuit is open; the one that closes last comes last.
-- Arguments: none.
-- Reply: {{host, failures, queued}, ...}.

local reply = {}
for _, name in ipairs(redis.call('ZRANGE', store.key('open-circuits'), 0, -1)) do
  local host = hosts.of(name)
  reply[#reply + 1] = { name, host.failures, host.queued + host.waiting }
end
return reply
