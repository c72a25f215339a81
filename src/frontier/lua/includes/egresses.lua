-- Egress addresses: the local addresses by which the crawl's processes go out. Where politeness counts per egress address (`apart` of crawl.lua;
-- design/scheduling, "Egress addresses"), each has its own lists `due` and `ready`, and each host, domain and host address keeps a part
-- for each. Otherwise one egress address stands for all, ALL: hosts, domains and addresses are their own parts, and no egress state is stored.

--- @record egresses
---   address   '' for all processes that report none
---   number    its number in key names, from 1; never reused
---   promoted  time (epoch ms) up to which hosts due for it are in its list `ready`
---   leased    leases out for it
---   latest    latest time until which a host or an address remembers a visit by it (epoch ms)
---   named     time of the last lease request that named it, or might have (epoch ms)

--- @record egresses pace
---   egress  number of the egress address that this part of a host is for
---   due     as in a host
---   floor   as in a host
---   leased  as in a host
---   status  THROTTLED until its domain has a free place for this egress address; else AVAILABLE

--- @record egresses place
---   egress     number of the egress address that this part of a domain is for
---   leased     as in a domain
---   throttled  as in a domain

-- Time to keep an egress address that no process has any more (ms; arbitrary): a process that restarts gets its lists back for free.
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

-- The egress address with a number; ALL for one that is gone.
function egresses.of(number)
  for _, egress in ipairs(egresses.apart) do
    if egress.number == number then
      return egress
    end
  end
  return egresses.ALL
end

-- The parts behind a packed record, by number; `packed` may be false where there is none.
function egresses.parts_of(packed, unpack_part)
  local parts = {}
  for _, text in ipairs(packed and select(-1, cmsgpack.unpack(packed)) or {}) do
    local part = unpack_part(text)
    parts[part.egress] = part
  end
  return parts
end

-- Packs parts to follow a record, leaving out those that hold no state to remember.
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

-- The parts behind the record of a host or a domain; false where politeness counts for all. `packed` is false where it is new.
function egresses.paces_of(packed)
  return crawl.state.apart == 1 and egresses.parts_of(packed, egresses.unpack_pace)
end

function egresses.places_of(packed)
  return crawl.state.apart == 1 and egresses.parts_of(packed, egresses.unpack_place)
end

-- The part of a host that says when it is due for an egress address.
function egresses.pace(host, egress)
  if egress.number == 0 then
    return host
  end
  local pace = host.paces[egress.number] or { egress = egress.number, due = 0, floor = 0, leased = 0, status = hosts.AVAILABLE }
  host.paces[egress.number] = pace
  return pace
end

-- The part of a domain that counts its places taken by an egress address.
function egresses.place(domain, egress)
  if egress.number == 0 then
    return domain
  end
  local place = domain.places[egress.number] or { egress = egress.number, leased = 0, throttled = 0 }
  domain.places[egress.number] = place
  return place
end

-- Is there nothing to remember of the host? True for a host in `ready`.
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

-- May an egress address be forgotten? Only if no process has it and no host remembers a recent visit by it.
local function is_gone(egress)
  local now = crawl.state.clock
  return egress.leased == 0 and egress.latest <= now and egress.named + KEPT <= now
end

local function forget_gone()
  local left = {}
  for _, egress in ipairs(egresses.apart) do
    if is_gone(egress) then
      -- its lists of throttled hosts stay until the crawl ends: they are not read any more
      redis.call('UNLINK', store.key('due' .. egress.suffix), store.key('ready' .. egress.suffix))
    else
      left[#left + 1] = egress
    end
  end
  remember(left)
end

-- A new egress address copies `due`, which has all hosts that any egress address may visit, with the times that the hosts themselves allow. It also
-- has URLs that wait for another try; promotion drops them here (promotion.lua).
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

-- The egress addresses of a call: a list of {egress, left, index}, `left` being the number of URLs it may still take. `text` is JSON of
-- {address, count} for each address of a living process, including those that take none now; '' for a single unnamed one.
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
