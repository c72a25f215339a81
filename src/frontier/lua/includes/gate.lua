-- Gates: the politeness checks that a visit passes beside the delay of its host, one for the address it connects to and one for its
-- registrable domain. Where politeness counts for each egress address, so do they.

-- Between two visits that begin on one address, or less where the host itself asks for less (ms): a thousand names of one server do
-- not get a thousand visits a second.
local ADDRESS_SPACING = 1000
-- Visits of one domain at a time, or as many as one host of it may have.
local DOMAIN_SLOTS = 2

--- @record gate address
---   last  when a visit last began there (epoch ms)
---   free  the next time that no host has booked (epoch ms)

--- @record gate spacing
---   egress  number of the egress address; a part of an address, where politeness counts for each (egresses.lua)
---   last    as above
---   free    likewise

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

-- The text with a spacing changed.
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

-- Takes over what another part of the crawl has booked of an address that hosts of both have. A crawl in parts counts for all together.
function gate.book(address, last, free)
  local times = gate.times_of(address)
  times.last, times.free = math.max(times.last, last), math.max(times.free, free)
  redis.call('SET', address_key(address), gate.pack_address(times))
end

-- Whether a visit may begin on the host's address now, from an egress address. If not, the host books the next free time and is due then: so a
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

-- Gives back what a lease that began no visit took of its address, unless another visit has begun there since.
function gate.free_address(host, leased_at, egress)
  local name = address_key(host.address)
  local packed = host.address ~= '' and redis.call('GET', name)
  local address = packed and spacing_of(packed, egress)
  if address and address.last == leased_at then
    address.last = address.last - ADDRESS_SPACING
    redis.call('SET', name, packed_spacing(packed, egress, address))
  end
end

local function throttled_key(host, egress)
  return store.key('throttled' .. egress.suffix .. ':' .. host.domain_name)
end

-- Whether the host's domain has a free place for an egress address. If not, the host is throttled until it has.
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

-- Ends the wait of the host of the same domain that was throttled first. A host whose circuit opened meanwhile stays as it is, and one without
-- entries, or whose limit leaves none, would keep the place from the others.
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

-- Takes a place of the host's domain for a lease.
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
