-- An entry is a pending URL, packed as the value of its path in a shard of its queue (shards.lua).
--   Short form, 12 bytes: sort key (7), depth (1), kind (1), source (3).
--   Long form, 19 bytes, where the short one is too small: sort key (7), 0 (1), kind (1), source (4), depth (2), redirects, hops, attempts
--   and deaths (1 each). An entry that is away also has its balance (7) at the end.
-- Fields:
--   balance    its credit less the dividend index of its queue (credit.lua)
--   depth      links from a seed;  redirects: number in a row that led to it;  hops: links beyond the scope
--   kind       a letter; a capital for a speculative link (speculative.lua), beyond ASCII for a second visit (again.lua)
--   source     number of the page that links to it (sources.lua)
--   attempts   visits begun;  deaths: sudden ends of the program during its visits. An entry with deaths is visited alone (lease.lua)
--   away       it is leased or waits for another try
-- The sort key orders leases, the greatest first: AWAY, SPECULATIVE for a speculative link, which has no credit, else the
-- balance + BIAS.

entries.AWAY = 0
-- The kind of a soft-404 probe. It is in the common queue, and borrows credit from lambda (admit.lua).
entries.PROBE = 'z'
entries.SPECULATIVE = 1
-- The dividend index of a queue is reset above this (queues.rebase). The lowest balance is minus this value, and even with all credit of the
-- crawl the sort key stays below 2^53.
entries.HIGHEST_INDEX = 2 ^ 51
entries.BIAS = entries.HIGHEST_INDEX + 2

-- Offset of the letter of a second visit.
local AGAIN = 128

local AWAY, SPECULATIVE, BIAS = entries.AWAY, entries.SPECULATIVE, entries.BIAS
-- Lengths of the two forms in bytes.
local SHORT, LONG = 12, 19
-- Smallest depth and source that do not fit into the short form.
local DEEP, MANY = 2 ^ 8, 2 ^ 24

-- The kind of a second visit of a URL with this kind of link. It is not speculative, so it takes part in credit, whatever the link was.
function entries.kind_again(kind)
  return string.char(string.byte(kind) + AGAIN)
end

-- 1 for a second visit, else 0.
function entries.again(entry)
  return string.byte(entry.kind) < AGAIN and 0 or 1
end

-- The letter of an entry, for a first and a second visit alike.
function entries.letter(entry)
  return string.char(string.byte(entry.kind) % AGAIN)
end

function entries.is_speculative(entry)
  return string.byte(entry.kind) < 97
end

function entries.sort_key(entry)
  if entry.away then
    return AWAY
  end
  return entries.is_speculative(entry) and SPECULATIVE or entry.balance + BIAS
end

-- Adds credit to a packed entry without unpacking it. Returns its new value and sort key; nil where the entry is away or speculative, or where the
-- credit's link has a smaller depth and so changes more than the balance.
function entries.credited(value, amount, depth)
  local sort_key, had = struct.unpack('>I7B', value)
  if #value == SHORT and sort_key > SPECULATIVE and depth >= had then
    sort_key = sort_key + amount
    return struct.pack('>I7', sort_key) .. string.sub(value, 8), sort_key
  end
end

local function is_short(entry)
  return not entry.away and entry.redirects == 0 and entry.hops == 0 and entry.attempts == 0 and entry.deaths == 0
    and entry.depth < DEEP and entry.source < MANY
end

function entries.pack(entry)
  local sort_key = entries.sort_key(entry)
  if is_short(entry) then
    return struct.pack('>I7Bc1I3', sort_key, entry.depth, entry.kind, entry.source)
  end
  local value = struct.pack('>I7Bc1I4I2BBBB', sort_key, 0, entry.kind, entry.source, math.min(entry.depth, 65535),
    math.min(entry.redirects, 255), math.min(entry.hops, 255), math.min(entry.attempts, 255), math.min(entry.deaths, 255))
  return entry.away and value .. struct.pack('>i7', entry.balance) or value
end

function entries.unpack(value)
  local sort_key = struct.unpack('>I7', value)
  local entry = { depth = 0, kind = false, source = 0, redirects = 0, hops = 0, attempts = 0, deaths = 0, away = sort_key == AWAY,
    balance = 0 }
  if #value == SHORT then
    entry.depth, entry.kind, entry.source = struct.unpack('>Bc1I3', value, 8)
  else
    entry.kind, entry.source, entry.depth, entry.redirects, entry.hops, entry.attempts, entry.deaths =
      struct.unpack('>c1I4I2BBBB', value, 9)
  end
  if entry.away then
    entry.balance = struct.unpack('>i7', value, LONG + 1)
  elseif sort_key > SPECULATIVE then
    entry.balance = sort_key - BIAS
  end
  return entry
end
