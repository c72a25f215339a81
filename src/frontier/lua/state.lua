-- Where a URL stands. Reply: {'unknown'} | {'queued', credit, attempts} | {'waiting', credit, attempts, due}
-- | {'leased', credit, attempts} | {'ended'}.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"
--- @include "seen"

if not knows('seen', args.fingerprint) then
  return { knows('skipped', args.fingerprint) and 'ended' or 'unknown' }
end
local credit, facts = queued_at(host_of(args.host), args.path)
if credit then
  return { 'queued', whole(credit), unpack_facts(facts).attempts }
end
local url = args.host .. args.path
local token = redis.call('HGET', key('leased'), url)
if token then
  local lease = unpack_lease(redis.call('HGET', key('lease'), token))
  return { 'leased', whole(lease.credit), lease.facts.attempts }
end
local text = redis.call('HGET', key('retry'), url)
if text then
  local record = unpack_record(text)
  return { 'waiting', whole(record.credit), record.facts.attempts, redis.call('ZSCORE', key('retries'), url) }
end
return { 'ended' }
