-- The hosts with the most pending URLs, and the one that is due last. Reply: {{host, due, queued, leased, failures}, ...}.
-- Of hosts with few (host.lua) only some are known: those that are due last, and those that are visited now.

local limit = tonumber(args.count)
local some = limit * 4 + 15
local names, listed = {}, {}

local function list(name)
  if not listed[name] then
    listed[name] = true
    push(names, name)
  end
end

-- `load` knows only roughly how many a host has
for _, name in ipairs(redis.call('ZREVRANGE', key('load'), 0, some)) do
  list(name)
end
local last = redis.call('ZREVRANGE', key('due'), 0, some)
if #names < limit then
  for _, member in ipairs(last) do
    list(host_of_due(member))
  end
  for _, packed in ipairs(redis.call('HVALS', key('leases'))) do
    list(host_name_of(unpack_lease(packed).url))
  end
end
table.sort(names, function(a, b)
  local more, less = pending(host_of(a)), pending(host_of(b))
  return more > less or (more == less and a > b)
end)
while #names > limit do
  listed[names[#names]], names[#names] = nil, nil
end
last = last[1]
if last and not is_waiting(last) and not listed[last] and limit > 0 then
  names[math.min(#names + 1, limit)] = last
end
local reply = {}
for index, name in ipairs(names) do
  local host = host_of(name)
  reply[index] = { name, whole(host.due), host.queued + host.waiting, host.leased, host.failures }
end
return reply
