-- Registrable domains: loaded once per call, changed in memory, written by domains.flush.

--- @record domains
---   remainder        credit left over from dividing a dividend among its shares
---   collected_index  lambda's dividend index up to which it has collected (credit.lua)
---   dividend_index   sum of its dividends per share so far
---   shares           number of shares that its queues hold together
---   leased           leases that are out
---   fetched          URLs that left the frontier after a visit
---   throttled        hosts in its list `throttled` (gate.lua)
--- @unpacked
---   changed          its record must be written
---   places           its parts by egress address number (egresses.lua); false where politeness counts for all together

at_each_call(function()
  domains.loaded = {}
end)

-- Loads a domain into memory. `packed` is false where it is new.
function domains.add(name, packed)
  domains.loaded[name] = packed and domains.unpack(packed)
    or { remainder = 0, collected_index = crawl.state.dividend_index, dividend_index = 0, shares = 0, leased = 0, fetched = 0, throttled = 0 }
  domains.loaded[name].places = egresses.places_of(packed)
  return domains.loaded[name]
end

function domains.of(host)
  local name = host.domain_name
  return domains.loaded[name] or domains.add(name, redis.call('GET', store.key('domain:' .. name)))
end

function domains.flush()
  for name, domain in pairs(domains.loaded) do
    if domain.changed then
      store.set(store.key('domain:' .. name), domains.pack(domain) .. egresses.packed_places(domain))
    end
  end
end
