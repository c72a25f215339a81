-- Finds the most similar page, and enters the page if its domain has none like it. One script, so that of two similar pages
-- exactly one is the first. Reply: {'first'} | {'like', same text, equal bytes of the signature, same domain, number of its link
-- tails, same link tails, equal bytes of their sketch, URL}.
--- @include "slot"
--- @include "page"

local page = {
  host = args.host,
  path = args.path,
  url_hash = args.urlHash,
  digest = args.digest,
  domain = args.domain,
  link_signature = args.linkSignature,
  signature = args.signature,
}
local ALL = #page.signature
local NEEDED = tonumber(args.needed)
-- Most candidates compared, those with the most common bands first.
local MOST_COMPARED = 16

-- A page that is visited again keeps its role, or its old entry makes room for the new one.
local url_bucket, url_field = url_slot(page.url_hash)
local own = tonumber(redis.call('HGET', url_bucket, url_field))
local before = own and read_page(own)
if before then
  if before.digest == page.digest then
    return { 'first' }
  end
  take_out_page(before, page.url_hash)
end

local function equal_bytes(one, other)
  local equal = 0
  for index = 1, #one do
    if one[index] == other[index] then
      equal = equal + 1
    end
  end
  return equal
end

local function is_better(one, other)
  if not other then
    return true
  end
  if one.near ~= other.near then
    return one.near
  end
  if one.exact ~= other.exact then
    return one.exact
  end
  if one.equal ~= other.equal then
    return one.equal > other.equal
  end
  return one.id < other.id
end

local best
local function offer(found, exact, equal)
  found.exact = exact
  found.equal = equal
  found.near = found.domain == page.domain
  if is_better(found, best) then
    best = found
  end
end

local text_slot = read_slot(text_place(page.digest))
for _, id in ipairs(text_slot.ids) do
  local found = read_page(id)
  if found and found.digest == page.digest then
    offer(found, true, ALL)
  end
end

local bands = {}
if not (best and best.near) then
  bands = band_places(page.signature)
  local shared, ids = {}, {}
  for _, slot in ipairs(bands) do
    for _, id in ipairs(read_slot(slot).ids) do
      if not shared[id] then
        ids[#ids + 1] = id
      end
      shared[id] = (shared[id] or 0) + 1
    end
  end
  table.sort(ids, function(one, other)
    if shared[one] ~= shared[other] then
      return shared[one] > shared[other]
    end
    return one < other
  end)
  local bytes = bytes_of(page.signature)
  for index = 1, math.min(#ids, MOST_COMPARED) do
    local found = read_page(ids[index])
    if found and #found.signature == ALL and found.digest ~= page.digest then
      local equal = equal_bytes(bytes, bytes_of(found.signature))
      if equal >= NEEDED then
        offer(found, false, equal)
      end
    end
  end
end

if not (best and best.near) then
  enter_page(own or redis.call('HINCRBY', keys.meta, 'pages', 1), page, text_slot, bands)
end
if not best then
  return { 'first' }
end
return {
  'like',
  best.exact and 1 or 0,
  best.equal,
  best.near and 1 or 0,
  best.tails,
  best.tails_digest == string.sub(page.link_signature, 3, 6) and 1 or 0,
  equal_bytes(bytes_of(best.sketch), bytes_of(string.sub(page.link_signature, 7))),
  best.url,
}
