-- Egress addresses: those by which the processes of the crawl go out. Where politeness counts for each of them (`apart` of crawl.lua;
-- design/scheduling, "Egress addresses"), each has lists `due` and `ready` of its own, and each host, domain and address of a host keeps a part
-- for each. Otherwise there is one for all, ALL: a host, a domain and an address are their own parts, and nothing of this is stored.

--- @record egresses
---   address   '' for all processes that do not say theirs
---   number    of it in names of keys, from 1; never given again
---   promoted  hosts that were due for it by then (epoch ms) stand in its list `ready`
---   leased    leases that are out for it
---   latest    until when a host or an address remembers a visit of it, at the most (epoch ms)
---   named     when a lease was last asked for it, or might have been (epoch ms)

--- @record egresses pace
---   egress  number of the egress address; a part of a host
---   due     as of a host
---   floor   likewise
---   leased  likewise
---   status  THROTTLED until its domain has a free place for this egress address; else AVAILABLE

--- @record egresses place
---   egress     number of the egress address; a part of a domain
---   leased     as of a domain
---   throttled  likewise

-- For how long an egress address is kept that no process has any more (ms; arbitrary): one that starts anew gets its lists back for nothing.
local KEPT = 60000

egresses.ALL = { number = 0, suffix = '' }

local function remember(list)
  egresses.apart = list
  for _, egress in ipairs(list) do
    egress.suffix = ':' .. egress.number
  end
end

at_each_call(function()
  local packed = crawl.state.apart == 1 and redis.call('GET', store.key('egresses'))
  local list = {}
  for index, text in ipairs(packed and cmsgpack.unpack(packed) or {}) do
    list[index] = egresses.unpack(text)
  end
  remember(list)
end)

-- The egress address of a number; ALL for one that is gone.
function egresses.of(number)
  for _, egress in ipairs(egresses.apart) do
    if egress.number == number then
      return egress
    end
  end
  return egresses.ALL
end

-- The parts by number that stand behind a packed record, which may be false where there is none.
function egresses.parts_of(packed, unpack_part)
  local parts = {}
  for _, text in ipairs(packed and select(-1, cmsgpack.unpack(packed)) or {}) do
    local part = unpack_part(text)
    parts[part.egress] = part
  end
  return parts
end

-- The text of parts, to stand behind a record: without those of which nothing must be remembered.
function egresses.packed_parts(parts, pack_part, is_over)
  local list = {}
  for _, egress in ipairs(egresses.apart) do
    local part = parts[egress.number]
    if part and not is_over(part, egress) then
      list[#list + 1] = pack_part(part)
    end
  end
  return cmsgpack.pack(list)
end

-- The parts that stand behind the record of a host or a domain; false where there are none. `packed` is false where it is new.
function egresses.paces_of(packed)
  return crawl.state.apart == 1 and egresses.parts_of(packed, egresses.unpack_pace)
end

function egresses.places_of(packed)
  return crawl.state.apart == 1 and egresses.parts_of(packed, egresses.unpack_place)
end

-- When a host is due for an egress address.
function egresses.pace(host, egress)
  if egress.number == 0 then
    return host
  end
  local pace = host.paces[egress.number] or { egress = egress.number, due = 0, floor = 0, leased = 0, status = hosts.AVAILABLE }
  host.paces[egress.number] = pace
  return pace
end

-- What leases of an egress address have of the places of a domain.
function egresses.place(domain, egress)
  if egress.number == 0 then
    return domain
  end
  local place = domain.places[egress.number] or { egress = egress.number, leased = 0, throttled = 0 }
  domain.places[egress.number] = place
  return place
end

-- Nothing is remembered of a host that stands in `ready`.
local function is_at_rest(pace, egress)
  egress.latest = math.max(egress.latest, pace.due)
  return pace.leased == 0 and pace.due <= egress.promoted and pace.status == hosts.AVAILABLE
end

local function is_empty(place)
  return place.leased == 0 and place.throttled == 0
end

function egresses.packed_paces(host)
  return host.paces and egresses.packed_parts(host.paces, egresses.pack_pace, is_at_rest) or ''
end

function egresses.packed_places(domain)
  return domain.places and egresses.packed_parts(domain.places, egresses.pack_place, is_empty) or ''
end

-- Whether an egress address may be forgotten: nobody has it, and no host remembers a visit of it that is not long enough ago.
local function is_gone(egress)
  local now = crawl.state.clock
  return egress.leased == 0 and egress.latest <= now and egress.named + KEPT <= now
end

local function forget_gone()
  local left = {}
  for _, egress in ipairs(egresses.apart) do
    if is_gone(egress) then
      -- lists of hosts that were throttled for it stay until the crawl ends: nobody reads them any more
      redis.call('UNLINK', store.key('due' .. egress.suffix), store.key('ready' .. egress.suffix))
    else
      left[#left + 1] = egress
    end
  end
  remember(left)
end

-- All that any egress address may visit is in `due`, with when the host itself allows it; so are URLs that wait for another try, which
-- promotion drops here (lease.lua).
local function add(address)
  local egress = { address = address, promoted = 0, leased = 0, latest = 0 }
  crawl.count('egresses', 1)
  egress.number = crawl.state.egresses
  egresses.apart[#egresses.apart + 1] = egress
  remember(egresses.apart)
  redis.call('ZUNIONSTORE', store.key('due' .. egress.suffix), 1, store.key('due'))
  return egress
end

local function named(address)
  for _, egress in ipairs(egresses.apart) do
    if egress.address == address then
      return egress
    end
  end
  return add(address)
end

-- The egress addresses of a call: a list of {egress, left, index}, how many URLs each may still take. `text` is JSON of {address, count} for each that a
-- living process has, those included that take none now; '' for one that is not said.
function egresses.turns(text, count)
  if crawl.state.apart == 0 then
    return { { egress = egresses.ALL, left = count } }
  end
  local list = {}
  for index, pair in ipairs(text == '' and { { '', count } } or cjson.decode(text)) do
    local egress = named(pair[1])
    egress.named = crawl.state.clock
    list[index] = { egress = egress, left = tonumber(pair[2]), index = index }
  end
  forget_gone()
  return list
end

function egresses.write()
  if crawl.state.apart == 0 then
    return
  end
  local list = {}
  for index, egress in ipairs(egresses.apart) do
    list[index] = egresses.pack(egress)
  end
  store.set(store.key('egresses'), cmsgpack.pack(list))
end
