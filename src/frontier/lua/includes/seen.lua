-- The seen set: URLs that have ended or are not followed, as 63-bit fingerprints in buckets of integers, which Redis keeps as packed arrays
-- (8.4 bytes a URL). Pending URLs are not in it: their queues know them.

-- One of a thousand buckets, by the last digits, which are as evenly spread as the fingerprints. Buckets of at most 16,384 keep their packed form:
-- that is sixteen million URLs (server-process.ts).
local function bucket(fingerprint)
  return store.key('seen:' .. string.sub(fingerprint, -3))
end

-- Returns whether it was added, that is, not in the set before.
function seen.add(fingerprint)
  return redis.call('SADD', bucket(fingerprint), fingerprint) == 1
end

function seen.has(fingerprint)
  return redis.call('SISMEMBER', bucket(fingerprint), fingerprint) == 1
end

function seen.remove(fingerprint)
  redis.call('SREM', bucket(fingerprint), fingerprint)
end

-- The fingerprint of a URL in TypeScript's form (fingerprint-number.ts): 63 bits as a decimal number, too long for a double.
function seen.fingerprint_of(url)
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
