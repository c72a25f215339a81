-- Reads the booked times of an address (includes/gate.lua).
-- Arguments:
--   address  IP address of hosts
-- Reply: {time of the last start of a visit there, earliest time not booked by a host} (epoch ms).

local times = gate.times_of(args.address)
return { store.whole(times.last), store.whole(times.free) }
