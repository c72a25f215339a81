-- What is kept of the first page of each kind, by its number. Needs slot.
--   digest 6 | domain 3 | looks: count 2, digest 4, sketch 24 | signature: length 1, bytes | URL

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)
local PAGES_IN_BUCKET = 64
-- 32,768 buckets of some 70 bands each at 200,000 pages, and 370 at a million: below the bound of the packed form.
local BAND_BUCKETS = 32768
local KEY_BUCKETS = 2048
local SKETCH = 24
local BANDS = tonumber(args.bands)
local ROWS = tonumber(args.rows)

local function key(name)
  return PREFIX .. name
end

local function page_slot(id)
  return key('page:' .. math.floor(id / PAGES_IN_BUCKET)), tostring(id % PAGES_IN_BUCKET)
end

-- Where something is found by a hash of six bytes.
local function hash_slot(name, hash)
  local high, low = string.byte(hash, 1, 2)
  return key(name .. (high * 256 + low) % KEY_BUCKETS), string.sub(hash, 2, 6)
end

local function read_page(id)
  local bucket, field = page_slot(id)
  local text = redis.call('HGET', bucket, field)
  if not text then
    return nil
  end
  local high, low = string.byte(text, 10, 11)
  local length = string.byte(text, 40)
  return {
    id = id,
    digest = string.sub(text, 1, 6),
    domain = string.sub(text, 7, 9),
    looks = high * 256 + low,
    looks_digest = string.sub(text, 12, 15),
    sketch = string.sub(text, 16, 39),
    signature = string.sub(text, 41, 40 + length),
    url = string.sub(text, 41 + length),
  }
end

-- A band's place is a polynomial of its bytes, modulo a prime below 2^31 so that products stay exact, and one byte more.
local PRIME = 2147483647
local FACTOR = 48271
local function band_slot(bytes, band)
  local hash = band + 1
  local first = band * ROWS
  for row = 1, ROWS do
    hash = (hash * FACTOR + bytes[first + row] + 1) % PRIME
  end
  local rest = math.floor(hash / BAND_BUCKETS)
  return key('band:' .. hash % BAND_BUCKETS),
    string.char(rest % 256, math.floor(rest / 256), bytes[first + 1])
end

local function bytes_of(text)
  return { string.byte(text, 1, -1) }
end

-- Bucket and field of each band; a text without a signature has none.
local function band_slots(signature)
  local slots = {}
  if signature ~= '' then
    local bytes = bytes_of(signature)
    for band = 0, BANDS - 1 do
      local bucket, field = band_slot(bytes, band)
      slots[band + 1] = { bucket = bucket, field = field }
    end
  end
  return slots
end

-- The bands' slots with the numbers of the pages that are in them.
local function read_bands(signature)
  local slots = band_slots(signature)
  for _, slot in ipairs(slots) do
    slot.ids = ids_in(redis.call('HGET', slot.bucket, slot.field))
  end
  return slots
end

local function enter_page(id, page, text_slot, bands)
  local bucket, field = page_slot(id)
  redis.call('HSET', bucket, field, page.digest .. page.domain .. page.looks .. string.char(#page.signature)
    .. page.signature .. page.url)
  bucket, field = hash_slot('url:', page.url_hash)
  redis.call('HSET', bucket, field, id)
  add_to_slot(text_slot, id)
  for _, slot in ipairs(bands) do
    add_to_slot(slot, id)
  end
end

local function take_out_page(page, url_hash)
  redis.call('HDEL', page_slot(page.id))
  redis.call('HDEL', hash_slot('url:', url_hash))
  local bucket, field = hash_slot('text:', page.digest)
  take_from_slot(bucket, field, page.id)
  for _, slot in ipairs(band_slots(page.signature)) do
    take_from_slot(slot.bucket, slot.field, page.id)
  end
end
