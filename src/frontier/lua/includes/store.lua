-- Names, numbers, the clock and the counters.
-- All keys of a crawl begin like the meta key and share its hash tag; so a script may compute the others from it.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)

local function key(name)
  return PREFIX .. name
end

-- A whole number as text, exact to 2^53 (tostring keeps 14 digits only).
local function whole(number)
  return string.format('%.0f', number)
end

-- The highest time seen; a clock that was set back stands still here until it has caught up (epoch ms).
local NOW = tonumber(redis.call('HGET', keys.meta, 'clock') or '0')

local changes = {}
local has_ticked = false

-- Written by close_books.
local function advance_clock(now)
  if tonumber(now) > NOW then
    NOW = tonumber(now)
    has_ticked = true
  end
end

-- Changes a counter of the meta key; written by close_books.
local function count(counter, change)
  changes[counter] = (changes[counter] or 0) + change
end

-- One reading and one writing for all that changed.
local function close_books()
  local names, fields = {}, {}
  for counter, change in pairs(changes) do
    if change ~= 0 then
      names[#names + 1] = counter
    end
  end
  if #names > 0 then
    for index, value in ipairs(redis.call('HMGET', keys.meta, unpack(names))) do
      fields[#fields + 1] = names[index]
      fields[#fields + 1] = whole(tonumber(value or '0') + changes[names[index]])
    end
  end
  if has_ticked then
    fields[#fields + 1] = 'clock'
    fields[#fields + 1] = whole(NOW)
  end
  if #fields > 0 then
    redis.call('HSET', keys.meta, unpack(fields))
  end
  changes, has_ticked = {}, false
end
