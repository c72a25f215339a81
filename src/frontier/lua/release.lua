-- Gives a lease back as if it had not been taken.
-- Arguments:
--   token    of the lease
--   now      epoch ms
--   hostDue  the host is not due before it, for the egress address of the lease (epoch ms); '' leaves that as it is
-- Reply: 1, or 0 where the lease is not out.

local lease = leases.take_back(args.token)
if not lease then
  return 0
end
crawl.advance_clock(args.now)
leases.requeue(lease, 1, 0)
if args.hostDue ~= '' then
  hosts.postpone(lease.pace, tonumber(args.hostDue))
end
hosts.flush()
credit.flush()
crawl.write()
return 1
