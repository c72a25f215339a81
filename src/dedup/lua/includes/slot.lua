-- A slot is a field of a hash that lists pages by number: one as an integer, which Redis packs, several as 'p' and
-- three bytes for each. A full slot takes no more pages; a page has other slots.

local MOST_IN_SLOT = 8

local function ids_in(value)
  if not value then
    return {}
  end
  if string.sub(value, 1, 1) ~= 'p' then
    return { tonumber(value) }
  end
  local ids = {}
  for at = 2, #value, 3 do
    local high, middle, low = string.byte(value, at, at + 2)
    ids[#ids + 1] = high * 65536 + middle * 256 + low
  end
  return ids
end

local function slot_value(ids)
  if #ids == 1 then
    return string.format('%.0f', ids[1])
  end
  local bytes = { 'p' }
  for _, id in ipairs(ids) do
    bytes[#bytes + 1] = string.char(math.floor(id / 65536), math.floor(id / 256) % 256, id % 256)
  end
  return table.concat(bytes)
end

-- Reads the page numbers of a place into `ids`, for later use.
local function read_slot(place)
  place.ids = ids_in(redis.call('HGET', place.bucket, place.field))
  return place
end

local function add_to_slot(slot, id)
  if #slot.ids < MOST_IN_SLOT then
    slot.ids[#slot.ids + 1] = id
    redis.call('HSET', slot.bucket, slot.field, slot_value(slot.ids))
  end
end

local function take_from_slot(place, id)
  local left = {}
  for _, each in ipairs(read_slot(place).ids) do
    if each ~= id then
      left[#left + 1] = each
    end
  end
  if #left == 0 then
    redis.call('HDEL', place.bucket, place.field)
  else
    redis.call('HSET', place.bucket, place.field, slot_value(left))
  end
end
