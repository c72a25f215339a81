-- Takes back leases without counting an attempt.
-- Arguments:
--   now      epoch ms
--   hostDue  epoch ms; their hosts are not due before this, nor before their own delay is over
--   which    expired; all; or died: all, after a sudden end of the program, which counts as a death of each URL whose visit had begun
--   epoch    of the caller, see includes/leader.lua
-- Reply: {number taken back, URL whose visit had begun at the sudden end, ...}. Cost: O(leases), as many as there are workers.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local stored = redis.call('HGETALL', store.key('leases'))
local tokens = {}
for index = 1, #stored, 2 do
  if args.which ~= 'expired' or leases.unpack(stored[index + 1]).deadline <= crawl.state.clock then
    tokens[#tokens + 1] = tonumber(stored[index])
  end
end
table.sort(tokens)
local reply = { #tokens }
for _, token in ipairs(tokens) do
  local lease = leases.take_back(store.whole(token))
  local is_suspect = args.which == 'died' and lease.begun == 1
  leases.requeue(lease, 1, is_suspect and 1 or 0)
  leases.rest(lease, tonumber(args.hostDue))
  if is_suspect then
    reply[#reply + 1] = lease.url
  end
end
hosts.flush()
credit.flush()
crawl.write()
return reply
