-- Which URLs are known: sets of 63-bit fingerprints in buckets, whole numbers, so that Redis keeps each as a packed
-- array (8.4 bytes a URL). `seen` holds what is or was to be visited, `skipped` what was seen and left. Needs store.

local BUCKETS = tonumber(redis.call('HGET', keys.meta, 'buckets'))

-- The last nine digits are as even as the fingerprint, and exact as a double.
local function bucket(set, fingerprint)
  return key(set .. ':' .. tonumber(string.sub(fingerprint, -9)) % BUCKETS)
end

-- Whether it was not yet in.
local function remember(set, fingerprint)
  return redis.call('SADD', bucket(set, fingerprint), fingerprint) == 1
end

local function knows(set, fingerprint)
  return redis.call('SISMEMBER', bucket(set, fingerprint), fingerprint) == 1
end

local function forget(set, fingerprint)
  redis.call('SREM', bucket(set, fingerprint), fingerprint)
end
