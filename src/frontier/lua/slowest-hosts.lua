-- The hosts with the most pending URLs, and the one that is due last. Reply: {{host, due, queued, leased, failures}, ...}.

local limit = tonumber(args.count)
-- `load` knows how many only roughly
local names = redis.call('ZREVRANGE', key('load'), 0, limit * 4 + 15)
table.sort(names, function(a, b)
  local more, less = pending(host_of(a)), pending(host_of(b))
  return more > less or (more == less and a > b)
end)
while #names > limit do
  names[#names] = nil
end
local last = redis.call('ZREVRANGE', key('due'), 0, 0)[1]
last = last and string.byte(last) ~= 114 and last or nil
local listed = {}
for _, name in ipairs(names) do
  listed[name] = true
end
if last and not listed[last] and limit > 0 then
  names[math.min(#names + 1, limit)] = last
end
local reply = {}
for index, name in ipairs(names) do
  local host = host_of(name)
  reply[index] = { name, whole(host.due), host.queued + host.waiting, host.leased, host.failures }
end
return reply
