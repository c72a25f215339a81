-- URLs that have ended or were left: sets of 63-bit fingerprints in buckets, whole numbers, so that Redis keeps each as a packed
-- array (8.4 bytes a URL). What is pending is known by its queue. Needs store.

-- A thousand buckets, by the last digits, which are as even as the fingerprint. Buckets of at most 16,384 keep their packed form: that is
-- sixteen million URLs (private-server.ts).
local function bucket(fingerprint)
  return key('seen:' .. string.sub(fingerprint, -3))
end

-- Whether it was not yet in.
local function remember(fingerprint)
  return redis.call('SADD', bucket(fingerprint), fingerprint) == 1
end

-- The fingerprint of a URL as it comes from outside: 63 bits as a decimal number, which no double holds.
local function fingerprint_of(url)
  local digits = redis.sha1hex(url)
  local high, middle, low = 0, 0, tonumber(string.sub(digits, 1, 1), 16) % 8
  for index = 2, 16 do
    low = low * 16 + tonumber(string.sub(digits, index, index), 16)
    middle = middle * 16 + math.floor(low / 1e9)
    high = high * 16 + math.floor(middle / 1e9)
    low, middle = low % 1e9, middle % 1e9
  end
  return (string.gsub(string.format('%.0f%09.0f%09.0f', high, middle, low), '^0+(%d)', '%1'))
end

local function has_ended(fingerprint)
  return redis.call('SISMEMBER', bucket(fingerprint), fingerprint) == 1
end

local function forget(fingerprint)
  redis.call('SREM', bucket(fingerprint), fingerprint)
end
