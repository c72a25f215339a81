-- Gates: politeness checks of a visit besides its host's delay, one for the address that it connects to and one for its
-- registrable domain. Where politeness counts per egress address, so do the gates.

-- Time between the starts of two visits on one address (ms), less where the host's own delay is less: a thousand host names on one server do
-- not cause a thousand visits a second.
local ADDRESS_SPACING = 1000
-- Most concurrent visits of one domain, unless one of its hosts may have more.
local DOMAIN_SLOTS = 2

--- @record gate address
---   last  time of the last start of a visit there (epoch ms)
---   free  earliest time not booked by a host (epoch ms)

--- @record gate spacing
---   egress  number of the egress address that this part of an address is for (egresses.lua)
---   last    as above
---   free    as above

local function address_key(address)
  return store.key('address:' .. address)
end

local function is_past(spacing, egress)
  local over = math.max(spacing.last + ADDRESS_SPACING, spacing.free)
  egress.latest = math.max(egress.latest, over)
  return over <= crawl.state.clock
end

-- The spacing of visits on an address; a new one where `packed` is false.
local function spacing_of(packed, egress)
  if egress.number == 0 then
    return packed and gate.unpack_address(packed) or { last = 0, free = 0 }
  end
  return egresses.parts_of(packed, gate.unpack_spacing)[egress.number] or { egress = egress.number, last = 0, free = 0 }
end

-- Packs an address with one spacing changed.
local function packed_spacing(packed, egress, spacing)
  if egress.number == 0 then
    return gate.pack_address(spacing)
  end
  local parts = egresses.parts_of(packed, gate.unpack_spacing)
  parts[egress.number] = spacing
  return egresses.packed_parts(parts, gate.pack_spacing, is_past)
end

-- The spacing of visits on an address, where politeness counts for all together.
function gate.times_of(address)
  return spacing_of(redis.call('GET', address_key(address)), egresses.ALL)
end

-- Takes over bookings of a shared address by another part of the crawl. A crawl in parts counts for all egress addresses together.
function gate.book(address, last, free)
  local times = gate.times_of(address)
  times.last, times.free = math.max(times.last, last), math.max(times.free, free)
  redis.call('SET', address_key(address), gate.pack_address(times))
end

-- May a visit from an egress address begin on the host's address now? If not, the host books the next free time and is due then: so a
-- conflict costs one refusal, however many hosts share an address.
function gate.passes_address(host, delay, egress)
  local spacing = math.min(ADDRESS_SPACING, delay)
  if host.address == '' or spacing == 0 then
    return true
  end
  local name = address_key(host.address)
  local packed = redis.call('GET', name)
  local address, pace = spacing_of(packed, egress), egresses.pace(host, egress)
  local now = crawl.state.clock
  local passes = address.last + spacing <= now
  if passes then
    address.last = now
    address.free = math.max(address.free, now + spacing)
  else
    pace.due, host.changed = math.max(address.free, address.last + spacing), true
    pace.floor = math.max(pace.floor, pace.due)
    address.free = pace.due + spacing
  end
  redis.call('SET', name, packed_spacing(packed, egress, address))
  return passes
end

-- Gives back the address booking of a lease that began no visit, unless another visit has begun there since. The visit before it began at least
-- the host's spacing earlier, and may have been another host's with a longer one.
function gate.free_address(host, leased_at, egress)
  local name = address_key(host.address)
  local packed = host.address ~= '' and redis.call('GET', name)
  local address = packed and spacing_of(packed, egress)
  if address and address.last == leased_at then
    address.last = address.last - (host.delay == hosts.UNKNOWN and ADDRESS_SPACING or math.min(ADDRESS_SPACING, host.delay))
    redis.call('SET', name, packed_spacing(packed, egress, address))
  end
end

local function throttled_key(host, egress)
  return store.key('throttled' .. egress.suffix .. ':' .. host.domain_name)
end

-- Has the host's domain a free place for an egress address? If not, the host is throttled until it has.
function gate.passes_domain(host, egress)
  local domain = domains.of(host)
  local place = egresses.place(domain, egress)
  if place.leased < math.max(DOMAIN_SLOTS, host.slots) then
    return true
  end
  redis.call('RPUSH', throttled_key(host, egress), host.name)
  egresses.pace(host, egress).status, host.changed = hosts.THROTTLED, true
  domain.changed, place.throttled = true, place.throttled + 1
  return false
end

-- Ends the wait of the longest throttled host of the same domain. A host whose circuit has opened stays as it is. A host without
-- entries, or without entries within its limit, is passed over, because it would keep the place from the others.
function gate.next_throttled(host, egress)
  local domain, found = domains.of(host), false
  local place = egresses.place(domain, egress)
  while place.throttled > 0 and not found do
    local next = hosts.of(redis.call('LPOP', throttled_key(host, egress)))
    local pace = egresses.pace(next, egress)
    place.throttled, domain.changed = place.throttled - 1, true
    if pace.status == hosts.THROTTLED then
      pace.status, next.changed = hosts.AVAILABLE, true
      found = next.status == hosts.AVAILABLE and next.priority ~= hosts.NOTHING and next.limit_state == host_limit.FREE
    end
  end
end

-- Takes a place in the host's domain for a lease.
function gate.take_place(host, egress)
  local domain = domains.of(host)
  local place = egresses.place(domain, egress)
  place.leased, domain.changed = place.leased + 1, true
end

-- Frees the place of a lease in its domain for the next throttled host.
function gate.free_place(host, egress)
  local domain = domains.of(host)
  local place = egresses.place(domain, egress)
  place.leased, domain.changed = place.leased - 1, true
  gate.next_throttled(host, egress)
end
