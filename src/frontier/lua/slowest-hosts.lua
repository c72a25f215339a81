-- Lists the hosts with the most pending URLs, and the one that is due last. Of hosts with few URLs (host_lists.lua) it sees only those that are
-- due last and those under visit.
-- Arguments:
--   count  hosts, at most
-- Reply: {{host, due, queued, leased, failures}, ...}.

local limit = tonumber(args.count)
local some = limit * 4 + 15
local names, listed = {}, {}

local function list(name)
  if not listed[name] then
    listed[name] = true
    store.push(names, name)
  end
end

-- `load` counts only roughly.
for _, name in ipairs(redis.call('ZREVRANGE', store.key('load'), 0, some)) do
  list(name)
end
local last = redis.call('ZREVRANGE', store.key('due'), 0, some)
if #names < limit then
  for _, member in ipairs(last) do
    list(leases.host_of_due(member))
  end
  for _, packed in ipairs(redis.call('HVALS', store.key('leases'))) do
    list(hosts.name_of(leases.unpack(packed).url))
  end
end
table.sort(names, function(a, b)
  local more, less = hosts.pending(hosts.of(a)), hosts.pending(hosts.of(b))
  return more > less or (more == less and a > b)
end)
while #names > limit do
  listed[names[#names]], names[#names] = nil, nil
end
last = last[1]
if last and not leases.is_waiting(last) and not listed[last] and limit > 0 then
  names[math.min(#names + 1, limit)] = last
end
local reply = {}
for index, name in ipairs(names) do
  local host = hosts.of(name)
  reply[index] = { name, store.whole(host.due), host.queued + host.waiting, host.leased, host.failures }
end
return reply
