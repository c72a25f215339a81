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

local function advance_clock(now)
  if tonumber(now) > NOW then
    NOW = tonumber(now)
    redis.call('HSET', keys.meta, 'clock', whole(NOW))
  end
end

local changes = {}

-- Changes a counter of the meta key; written by close_books.
local function count(counter, change)
  changes[counter] = (changes[counter] or 0) + change
end

local function close_books()
  for counter, change in pairs(changes) do
    if change ~= 0 then
      redis.call('HINCRBY', keys.meta, counter, whole(change))
    end
  end
  changes = {}
end
