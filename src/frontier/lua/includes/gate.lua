-- Gates: the politeness checks that a visit passes beside the delay of its host, one for the address it connects to and one for its
-- registrable domain.

-- Between two visits that begin on one address, or less where the host itself asks for less (ms): a thousand names of one server do
-- not get a thousand visits a second.
local ADDRESS_SPACING = 1000
-- Visits of one domain at a time, or as many as one host of it may have.
local DOMAIN_SLOTS = 2

--- @record gate address
---   last  when a visit last began there (epoch ms)
---   free  the next time that no host has booked (epoch ms)

-- Whether a visit may begin on the host's address now. If not, the host books the next free time and is due then: so a conflict costs one
-- refusal, however many hosts share an address.
function gate.passes_address(host, delay)
  local spacing = math.min(ADDRESS_SPACING, delay)
  if host.address == '' or spacing == 0 then
    return true
  end
  local name = store.key('address:' .. host.address)
  local packed = redis.call('GET', name)
  local address = packed and gate.unpack_address(packed) or { last = 0, free = 0 }
  local now = crawl.state.clock
  local passes = address.last + spacing <= now
  if passes then
    address.last = now
    address.free = math.max(address.free, now + spacing)
  else
    host.due, host.changed = math.max(address.free, address.last + spacing), true
    host.floor = math.max(host.floor, host.due)
    address.free = host.due + spacing
  end
  redis.call('SET', name, gate.pack_address(address))
  return passes
end

-- Gives back what a lease that began no visit took of its address, unless another visit has begun there since.
function gate.free_address(host, leased_at)
  local name = store.key('address:' .. host.address)
  local packed = host.address ~= '' and redis.call('GET', name)
  local address = packed and gate.unpack_address(packed)
  if address and address.last == leased_at then
    address.last = address.last - ADDRESS_SPACING
    redis.call('SET', name, gate.pack_address(address))
  end
end

local function throttled_key(host)
  return store.key('throttled:' .. host.domain_name)
end

-- Whether the host's domain has a free place. If not, the host is throttled until it has.
function gate.passes_domain(host)
  local domain = domains.of(host)
  if domain.leased < math.max(DOMAIN_SLOTS, host.slots) then
    return true
  end
  redis.call('RPUSH', throttled_key(host), host.name)
  host.status, host.changed = hosts.THROTTLED, true
  domain.changed, domain.throttled = true, domain.throttled + 1
  return false
end

-- Ends the wait of the host of the same domain that was throttled first. A host whose circuit opened meanwhile stays as it is, and one without
-- entries, or whose limit leaves none, would keep the place from the others.
function gate.next_throttled(host)
  local domain, found = domains.of(host), false
  while domain.throttled > 0 and not found do
    local next = hosts.of(redis.call('LPOP', throttled_key(host)))
    domain.throttled, domain.changed = domain.throttled - 1, true
    if next.status == hosts.THROTTLED then
      next.status, next.changed = hosts.AVAILABLE, true
      found = next.priority ~= hosts.NOTHING and next.limit_state == host_limit.FREE
    end
  end
end

-- Frees the place of a lease in its domain for the next throttled host.
function gate.free_place(host)
  local domain = domains.of(host)
  domain.leased, domain.changed = domain.leased - 1, true
  gate.next_throttled(host)
end
