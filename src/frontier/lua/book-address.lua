-- Takes over bookings of an address by another part of the crawl, so that visits of this part keep their distance from those of the other.
-- Arguments:
--   address  IP address of hosts
--   last     time of the last start of a visit there (epoch ms)
--   free     earliest time not booked by a host (epoch ms)
--   epoch    of the caller, see includes/leader.lua
-- Reply: 1.

leader.check(args.epoch)
gate.book(args.address, tonumber(args.last), tonumber(args.free))
return 1
