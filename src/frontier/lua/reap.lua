-- Takes back leases, and no attempt is counted: `which` is expired, all, or died: all, after a sudden end of the program, which is told of
-- each page whose visit had begun. Their hosts are not due before `hostDue`.
-- Reply: {how many, URL of a page that was visited at the sudden end, ...}. Cost: O(leases), as many as there are workers.

advance_clock(args.now)
local leases = redis.call('HGETALL', key('leases'))
local tokens = {}
for index = 1, #leases, 2 do
  if args.which ~= 'expired' or unpack_lease(leases[index + 1]).deadline <= state.clock then
    tokens[#tokens + 1] = tonumber(leases[index])
  end
end
table.sort(tokens)
local reply = { #tokens }
for _, token in ipairs(tokens) do
  local lease = take_back(whole(token))
  local is_suspect = args.which == 'died' and lease.begun == 1
  requeue(lease, 1, is_suspect and 1 or 0)
  postpone(lease.host, tonumber(args.hostDue))
  if is_suspect then
    reply[#reply + 1] = lease.url
  end
end
flush_hosts()
flush_credit()
write_state()
return reply
