-- Reads credit in transit to other parts of the crawl.
-- Arguments:
--   count  entries for each part, at most
-- Reply: {{number of the part, number of the first entry, entry, ...}, ...}, only parts with entries.

local reply = {}
local sent = redis.call('HGETALL', store.key('sent'))
for index = 1, #sent, 2 do
  local name = store.key('out:' .. sent[index])
  local length = redis.call('LLEN', name)
  if length > 0 then
    reply[#reply + 1] = { sent[index], store.whole(tonumber(sent[index + 1]) - length + 1), unpack(redis.call('LRANGE', name, 0, tonumber(args.count) - 1)) }
  end
end
return reply
