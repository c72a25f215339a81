-- URLs that have ended or were left: sets of 63-bit fingerprints in buckets, whole numbers, so that Redis keeps each as a packed
-- array (8.4 bytes a URL). What is pending is known by its queue. Needs store.

-- 256 buckets of at most 8192 keep their packed form up to two million URLs (libraries.md, section 5).
local BUCKETS = 256

-- The last nine digits are as even as the fingerprint, and exact as a double.
local function bucket(fingerprint)
  return key('seen:' .. tonumber(string.sub(fingerprint, -9)) % BUCKETS)
end

-- Whether it was not yet in.
local function remember(fingerprint)
  return redis.call('SADD', bucket(fingerprint), fingerprint) == 1
end

local function has_ended(fingerprint)
  return redis.call('SISMEMBER', bucket(fingerprint), fingerprint) == 1
end

local function forget(fingerprint)
  redis.call('SREM', bucket(fingerprint), fingerprint)
end
