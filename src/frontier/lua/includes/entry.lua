-- A pending page, packed as the value of its path in a shard (queue.lua): order (7 bytes), depth (1), kind (1), source (3); where that does
-- not say all, order (7), nothing (1), kind (1), source (4), depth (2), redirects, hops, attempts and deaths (1 each). Needs store.
--   balance    its credit less the dividend index of its queue, see credit.lua
--   sort_key  what is leased first, the greatest first: AWAY where it is leased or waits for another try; SPECULATIVE for a speculative link,
--          which has no credit; else balance + BIAS. A page that is away has its balance (7 bytes) behind all else.
--   deaths how often the program ended while it was visited: from the first on it is visited alone (lease.lua)
--   kind   a letter, a capital one where the page is a speculative link (speculative.lua)
--   source which page named it, see source.lua

local AWAY = 0
local SPECULATIVE = 1
-- The lowest balance is minus the highest dividend index; with the most credit there is the order stays below 2^53.
local HIGHEST_INDEX = 2 ^ 51
local BIAS = HIGHEST_INDEX + 2
local SHORT, LONGER = 12, 19
-- Depths and sources from here on are too great for the short form.
local DEEP, MANY = 2 ^ 8, 2 ^ 24

local function is_speculative(entry)
  return string.byte(entry.kind) < 97
end

local function sort_key_of(entry)
  if entry.away then
    return AWAY
  end
  return is_speculative(entry) and SPECULATIVE or entry.balance + BIAS
end

-- The same page with so much more credit, where that is all that changes: it is there, not speculative, and not farther away than `depth` and `hops`.
-- Its value and order; nil where more is to be looked at.
local function credited(value, credit, depth)
  local sort_key, had = struct.unpack('>I7B', value)
  if #value == SHORT and sort_key > SPECULATIVE and depth >= had then
    sort_key = sort_key + credit
    return struct.pack('>I7', sort_key) .. string.sub(value, 8), sort_key
  end
end

local function is_short(entry)
  return not entry.away and entry.redirects == 0 and entry.hops == 0 and entry.attempts == 0 and entry.deaths == 0 and entry.depth < DEEP and entry.source < MANY
end

local function pack_entry(entry)
  local sort_key = sort_key_of(entry)
  if is_short(entry) then
    return struct.pack('>I7Bc1I3', sort_key, entry.depth, entry.kind, entry.source)
  end
  local value = struct.pack('>I7Bc1I4I2BBBB', sort_key, 0, entry.kind, entry.source, math.min(entry.depth, 65535),
    math.min(entry.redirects, 255), math.min(entry.hops, 255), math.min(entry.attempts, 255), math.min(entry.deaths, 255))
  return entry.away and value .. struct.pack('>i7', entry.balance) or value
end

local function unpack_entry(value)
  local sort_key = struct.unpack('>I7', value)
  local entry = { depth = 0, kind = false, source = 0, redirects = 0, hops = 0, attempts = 0, deaths = 0, away = sort_key == AWAY, balance = 0 }
  if #value == SHORT then
    entry.depth, entry.kind, entry.source = struct.unpack('>Bc1I3', value, 8)
  else
    entry.kind, entry.source, entry.depth, entry.redirects, entry.hops, entry.attempts, entry.deaths = struct.unpack('>c1I4I2BBBB', value, 9)
  end
  if entry.away then
    entry.balance = struct.unpack('>i7', value, LONGER + 1)
  elseif sort_key > SPECULATIVE then
    entry.balance = sort_key - BIAS
  end
  return entry
end
