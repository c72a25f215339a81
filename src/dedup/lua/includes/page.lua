-- The record of the first page of each cluster, by number. Needs slot.
--   digest 6 | host 3 | link signature: count 2, digest 4, sketch 24 | signature: length 1, bytes | path
-- A host is stored as a number, which leads to its registrable domain (3 bytes of a hash) and its name.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)
local PAGES_IN_BUCKET = 64
-- 32,768 buckets of some 80 places each at 200,000 pages, and 400 at a million: below the limit of the packed form.
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

-- Place of a page's number, by six bytes of the hash of its URL.
local function url_slot(hash)
  local high, low = string.byte(hash, 1, 2)
  return key('url:' .. (high * 256 + low) % KEY_BUCKETS), string.sub(hash, 2, 6)
end

local function number_of(bytes)
  local high, middle, low = string.byte(bytes, 1, 3)
  return high * 65536 + middle * 256 + low
end

local function bytes_of_number(number)
  return string.char(math.floor(number / 65536), math.floor(number / 256) % 256, number % 256)
end

local function host_bytes(host, domain)
  local number = tonumber(redis.call('HGET', key('hosts'), host))
  if not number then
    number = redis.call('HINCRBY', keys.meta, 'hosts', 1)
    redis.call('HSET', key('hosts'), host, number)
    redis.call('HSET', key('names'), number, domain .. host)
  end
  return bytes_of_number(number)
end

local function read_page(id)
  local bucket, field = page_slot(id)
  local text = redis.call('HGET', bucket, field)
  if not text then
    return nil
  end
  local high, low = string.byte(text, 10, 11)
  local length = string.byte(text, 40)
  local name = redis.call('HGET', key('names'), number_of(string.sub(text, 7, 9)))
  return {
    id = id,
    digest = string.sub(text, 1, 6),
    domain = string.sub(name, 1, 3),
    tails = high * 256 + low,
    tails_digest = string.sub(text, 12, 15),
    sketch = string.sub(text, 16, 39),
    signature = string.sub(text, 41, 40 + length),
    url = string.sub(name, 4) .. string.sub(text, 41 + length),
  }
end

-- A band's place is a polynomial of its bytes, modulo a prime below 2^31 so that products stay exact. A page in a place by
-- chance is rejected by the comparison.
local PRIME = 2147483647
local FACTOR = 48271
local function band_hash(bytes, band)
  local hash = band + 1
  local first = band * ROWS
  for row = 1, ROWS do
    hash = (hash * FACTOR + bytes[first + row] + 1) % PRIME
  end
  return hash
end

local function place_of(hash)
  local rest = math.floor(hash / BAND_BUCKETS)
  return { bucket = key('band:' .. hash % BAND_BUCKETS), field = string.char(rest % 256, math.floor(rest / 256)) }
end

-- The place of a text among those of the bands: it finds pages with the same text.
local function text_place(digest)
  local high, middle, low = string.byte(digest, 4, 6)
  return place_of((number_of(digest) * 128 + (high * 65536 + middle * 256 + low) % 128) % PRIME)
end

local function bytes_of(text)
  return { string.byte(text, 1, -1) }
end

-- The places of the bands; a text without a signature has none.
local function band_places(signature)
  local places = {}
  if signature ~= '' then
    local bytes = bytes_of(signature)
    for band = 0, BANDS - 1 do
      places[band + 1] = place_of(band_hash(bytes, band))
    end
  end
  return places
end

local function enter_page(id, page, text_slot, bands)
  local bucket, field = page_slot(id)
  redis.call('HSET', bucket, field, page.digest .. host_bytes(page.host, page.domain) .. page.link_signature
    .. string.char(#page.signature) .. page.signature .. page.path)
  bucket, field = url_slot(page.url_hash)
  redis.call('HSET', bucket, field, id)
  add_to_slot(text_slot, id)
  for _, slot in ipairs(bands) do
    add_to_slot(slot, id)
  end
end

local function take_out_page(page, url_hash)
  redis.call('HDEL', page_slot(page.id))
  redis.call('HDEL', url_slot(url_hash))
  take_from_slot(text_place(page.digest), page.id)
  for _, place in ipairs(band_places(page.signature)) do
    take_from_slot(place, page.id)
  end
end
