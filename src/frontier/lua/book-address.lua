-- Takes over what another part of the crawl has booked of an address: no visit of this part begins too soon after one of that.
-- Arguments:
--   address  of hosts
--   last     when a visit last began there (epoch ms)
--   free     the next time that no host has booked (epoch ms)
--   epoch    of the caller, see includes/leader.lua
-- Reply: 1.

leader.check(args.epoch)
gate.book(args.address, tonumber(args.last), tonumber(args.free))
return 1
