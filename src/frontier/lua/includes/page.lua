-- A pending page, packed as the value of its path in a shard (queue.lua): order (7 bytes), depth (1), kind (1), source (3); where that does
-- not say all, order (7), nothing (1), kind (1), source (4), depth (2), redirects, hops, attempts and deaths (1 each). Needs store.
--   balance    its credit less the dividend index of its queue, see credit.lua
--   order  what is leased first, the greatest first: AWAY where it is leased or waits for another try; SPECULATIVE for a speculative link,
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

local function is_speculative(page)
  return string.byte(page.kind) < 97
end

local function order_of(page)
  if page.away then
    return AWAY
  end
  return is_speculative(page) and SPECULATIVE or page.balance + BIAS
end

-- The same page with so much more credit, where that is all that changes: it is there, not speculative, and not farther away than `depth` and `hops`.
-- Its value and order; nil where more is to be looked at.
local function credited(value, credit, depth)
  local order, had = struct.unpack('>I7B', value)
  if #value == SHORT and order > SPECULATIVE and depth >= had then
    order = order + credit
    return struct.pack('>I7', order) .. string.sub(value, 8), order
  end
end

local function is_short(page)
  return not page.away and page.redirects == 0 and page.hops == 0 and page.attempts == 0 and page.deaths == 0 and page.depth < DEEP and page.source < MANY
end

local function pack_page(page)
  local order = order_of(page)
  if is_short(page) then
    return struct.pack('>I7Bc1I3', order, page.depth, page.kind, page.source)
  end
  local value = struct.pack('>I7Bc1I4I2BBBB', order, 0, page.kind, page.source, math.min(page.depth, 65535),
    math.min(page.redirects, 255), math.min(page.hops, 255), math.min(page.attempts, 255), math.min(page.deaths, 255))
  return page.away and value .. struct.pack('>i7', page.balance) or value
end

local function unpack_page(value)
  local order = struct.unpack('>I7', value)
  local page = { depth = 0, kind = false, source = 0, redirects = 0, hops = 0, attempts = 0, deaths = 0, away = order == AWAY, balance = 0 }
  if #value == SHORT then
    page.depth, page.kind, page.source = struct.unpack('>Bc1I3', value, 8)
  else
    page.kind, page.source, page.depth, page.redirects, page.hops, page.attempts, page.deaths = struct.unpack('>c1I4I2BBBB', value, 9)
  end
  if page.away then
    page.balance = struct.unpack('>i7', value, LONGER + 1)
  elseif order > SPECULATIVE then
    page.balance = order - BIAS
  end
  return page
end
