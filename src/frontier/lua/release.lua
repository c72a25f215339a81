-- Gives a lease back as if it had not been taken. Reply: 1, or 0 where the lease is not out.

local lease = take_back(args.token)
if not lease then
  return 0
end
advance_clock(args.now)
requeue(lease, 1, 0)
flush_hosts()
flush_credit()
write_state()
return 1
