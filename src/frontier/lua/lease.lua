-- Leases up to `count` URLs: of the hosts that are due in the same tick the one with the richest head, its richest URL.
-- Reply: {'leased', now, visit, ...} | {'nothing-due', due} | {'nothing-queued'};
-- a visit is {token, host, path, depth, redirects, hops, attempt, kind, referrer}.
-- Cost: O(count * LOOK_AT) and at most WAKE_LIMIT retries.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"
--- @include "lease"

-- Hosts that are due within the same 100 ms count as due at once (algorithms A1.8).
local TICK = 100
-- Hosts looked at for one visit: bounds the call; more of them due at once are served in the order of their due.
local LOOK_AT = 32

-- How soon a host may be due whose address is being looked up (ms).
local LOOK_UP = 50

advance_clock(args.now)

wake()
flush_hosts()

local function next_host()
  local due = redis.call('ZRANGEBYSCORE', key('due'), '-inf', whole(NOW), 'WITHSCORES', 'LIMIT', 0, LOOK_AT)
  local names = {}
  for index = 1, #due, 2 do
    if math.floor(tonumber(due[index + 1]) / TICK) ~= math.floor(tonumber(due[2]) / TICK) then
      break
    end
    names[#names + 1] = due[index]
  end
  if #names < 2 then
    return names[1] and host_of(names[1])
  end
  -- All hosts are flushed here; of their texts only the first number, the head, is needed.
  local texts = redis.call('HMGET', key('hosts'), unpack(names))
  local best, most
  for index, text in ipairs(texts) do
    local credit = tonumber(string.match(text, '^%S+'))
    if not best or credit > most then
      best, most = index, credit
    end
  end
  return host_of(names[best], texts[best])
end

local function lease_from(host)
  local path, credit, facts = dequeue(host)
  facts.attempts = facts.attempts + 1
  local lease = {
    host = host.name,
    path = path,
    credit = credit,
    facts = facts,
    leased_at = NOW,
    credit_at_lease = credit,
  }
  local token = put_out(lease, NOW + tonumber(args.leaseFor))
  count('queued', -1)
  host.leased = host.leased + 1
  -- Pessimistic: stands until the settlement, or for good where there never is one.
  local delay = host.delay == UNKNOWN and tonumber(args.newHostDelay) or host.delay
  host.due = math.max(host.floor, NOW + delay)
  flush_host(host)
  return {
    token,
    host.name,
    path,
    whole(facts.depth),
    whole(facts.redirects),
    whole(facts.hops),
    whole(facts.attempts),
    facts.kind,
    long_referrer(host.name, facts.referrer),
  }
end

local reply = { 'leased', whole(NOW) }
for _ = 1, tonumber(args.count) do
  local host = next_host()
  if not host then
    break
  end
  reply[#reply + 1] = lease_from(host)
end
close_books()
if #reply > 2 then
  return reply
end

local due = redis.call('ZRANGE', key('due'), 0, 0, 'WITHSCORES')[2]
local retry = redis.call('ZRANGE', key('retries'), 0, 0, 'WITHSCORES')[2]
if redis.call('EXISTS', key('unaddressed')) == 1 then
  due = math.min(tonumber(due or 'inf'), NOW + LOOK_UP)
end
if not due and not retry then
  return { 'nothing-queued' }
end
return { 'nothing-due', whole(math.min(tonumber(due or retry), tonumber(retry or due))) }
