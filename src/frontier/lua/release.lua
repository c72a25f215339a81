-- Returns a lease as if it had not been taken.
-- Arguments:
--   token    of the lease
--   now      epoch ms
--   hostDue  earliest time for the host on the lease's egress address (epoch ms), if its own delay is not longer; '' for no change
-- Reply: 1, or 0 where the lease is not out.

local lease = leases.take_back(args.token)
if not lease then
  return 0
end
crawl.advance_clock(args.now)
leases.requeue(lease, 1, 0)
if args.hostDue ~= '' then
  leases.rest(lease, tonumber(args.hostDue))
end
hosts.flush()
credit.flush()
crawl.write()
return 1
