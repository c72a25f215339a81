-- Says what is booked of an address (includes/gate.lua).
-- Arguments:
--   address  of hosts
-- Reply: {when a visit last began there, the next time that no host has booked} (epoch ms).

local times = gate.times_of(args.address)
return { store.whole(times.last), store.whole(times.free) }
