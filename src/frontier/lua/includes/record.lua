-- What is remembered about a pending URL, as text. Canonical URLs hold no space, so a space parts the fields.
--   facts  = depth redirects hops attempts kind referrer beside a queued URL
--   record = host path credit facts                      of a URL that waits for another try
--   lease  = record leased_at credit_at_lease            of a URL that is leased
-- The kind is a letter, and a question mark behind it where the URL is a guess (includes/guess.lua).
-- The referrer is a path where it is of the same host, and '-' where there is none.

local function pack_facts(facts)
  return whole(facts.depth) .. ' ' .. whole(facts.redirects) .. ' ' .. whole(facts.hops) .. ' '
    .. whole(facts.attempts) .. ' ' .. facts.kind .. ' ' .. facts.referrer
end

local function unpack_facts(text)
  local depth, redirects, hops, attempts, kind, referrer = string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%S+) (%S+)')
  return {
    depth = tonumber(depth),
    redirects = tonumber(redirects),
    hops = tonumber(hops),
    attempts = tonumber(attempts),
    kind = kind,
    referrer = referrer,
  }
end

local function is_guess(facts)
  return string.sub(facts.kind, -1) == '?'
end

-- The whole URL again, or '' for none.
local function long_referrer(host, referrer)
  if referrer == '-' then
    return ''
  end
  if string.sub(referrer, 1, 1) == '/' then
    return host .. referrer
  end
  return referrer
end

local function pack_record(record)
  return record.host .. ' ' .. record.path .. ' ' .. whole(record.credit) .. ' ' .. pack_facts(record.facts)
end

local function unpack_record(text)
  local host, path, credit, facts = string.match(text, '^(%S+) (%S+) (%d+) (.+)$')
  return { host = host, path = path, credit = tonumber(credit), facts = unpack_facts(facts) }
end

local function pack_lease(lease)
  return pack_record(lease) .. ' ' .. whole(lease.leased_at) .. ' ' .. whole(lease.credit_at_lease)
end

local function unpack_lease(text)
  local lease = unpack_record(text)
  local leased_at, credit_at_lease = string.match(text, ' (%d+) (%d+)$')
  lease.leased_at = tonumber(leased_at)
  lease.credit_at_lease = tonumber(credit_at_lease)
  return lease
end
