-- Gates that a visit passes beside that of its host: the address it goes to, and its registrable domain. Needs store, page, unit,
-- host, credit.

local passes_address, passes_domain, call_parked, free_place
do
  -- Between two visits that begin on one address, or less where the host itself asks for less (ms): a thousand names of one server do
  -- not get a thousand visits a second.
  local ADDRESS_SPACING = 1000
  -- Visits of one domain at a time, or as many as one host of it may have.
  local DOMAIN_SLOTS = 2

  --- @record address last free

  -- Whether a visit may begin on the host's address now. Where not, the host has booked the next time that is free, and is due then: so
  -- a conflict is paid for once, however many hosts share an address.
  function passes_address(host, delay)
    local spacing = math.min(ADDRESS_SPACING, delay)
    if host.address == '' or spacing == 0 then
      return true
    end
    local name = key('address:' .. host.address)
    local packed = redis.call('GET', name)
    local line = packed and unpack_address(packed) or { last = 0, free = 0 }
    local passes = line.last + spacing <= books.clock
    if passes then
      line.last = books.clock
      line.free = math.max(line.free, books.clock + spacing)
    else
      host.due, host.changed = math.max(line.free, line.last + spacing), true
      host.floor = math.max(host.floor, host.due)
      line.free = host.due + spacing
    end
    redis.call('SET', name, pack_address(line))
    return passes
  end

  local function parked_key(host)
    return key('parked:' .. host.domain_name)
  end

  -- Whether the domain has a place free. Where not, the host is parked until one is.
  function passes_domain(host)
    local domain = domain_of(host)
    if domain.leased < math.max(DOMAIN_SLOTS, host.slots) then
      return true
    end
    redis.call('RPUSH', parked_key(host), host.name)
    host.rest, host.changed = PARKED, true
    domain.changed, domain.parked = true, domain.parked + 1
    return false
  end

  -- The host of the domain that was parked first may be leased from. One that was given up meanwhile rests on, and one that has nothing
  -- left would keep the place from the others.
  function call_parked(host)
    local domain, found = domain_of(host), false
    while domain.parked > 0 and not found do
      local next = host_of(redis.call('LPOP', parked_key(host)))
      domain.parked, domain.changed = domain.parked - 1, true
      if next.rest == PARKED then
        next.rest, next.changed = 0, true
        found = next.score ~= NOTHING and next.quota == 0
      end
    end
  end

  -- A lease of the domain is over.
  function free_place(host)
    local domain = domain_of(host)
    domain.leased, domain.changed = domain.leased - 1, true
    call_parked(host)
  end
end
