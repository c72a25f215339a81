-- Guesses: URLs that only links of low confidence named. A host may have `trust` of them pending at a time: at first
-- FIRST_TRUST, one more for each that proved right, one less for each that proved wrong; so it is never asked for more wrong
-- ones than FIRST_TRUST and the right ones together. What is beyond is held: skipped so far (`deferred`), and queued in the
-- order of arrival when a place comes free. Guesses take part in no page's credit, so they come after what does.
-- Needs store, record, host, queue, seen, admission.
--
-- What a visit proves: `failed` is wrong; so is a page whose text another guess of the host had, for many sites answer
-- every address with one and the same page. A redirect proves nothing: where its target is new, that is a guess in its
-- place; where it was known, the guess brought nothing and was wrong. A visit that was forbidden proves nothing either.

local MOST_TRUST = 64
-- Guesses that a host keeps for later; what comes after is skipped, unless a real link names it.
local HELD_LIMIT = 1000
local RULE = 'only guessed at, and the budget of its host for guesses is used up'

local function held_key(host)
  return key('held:' .. host.name)
end

local function queue_guess(host, guess)
  remember('seen', guess.fingerprint)
  enqueue(host, guess.path, 0, guess.facts)
  count('queued', 1)
  host.guesses = host.guesses + 1
end

local function hold(host, guess)
  remember('skipped', guess.fingerprint)
  count('skipped', 1)
  local referrer = long_referrer(host.name, unpack_facts(guess.facts).referrer)
  redis.call('HSET', key('deferred'), host.name .. guess.path, '{"url":' .. cjson.encode(host.name .. guess.path)
    .. ',"reason":"low-confidence","rule":"' .. RULE
    .. '","referrer":' .. (referrer == '' and 'null' or cjson.encode(referrer)) .. '}')
  if host.held < HELD_LIMIT then
    redis.call('RPUSH', held_key(host), guess.fingerprint .. ' ' .. guess.path .. ' ' .. guess.facts)
    host.held = host.held + 1
    host.changed = true
  end
end

-- A guess changes nothing of what is known already. Says whether the URL was new.
local function admit_guess(guess)
  if knows('seen', guess.fingerprint) or knows('skipped', guess.fingerprint) then
    return false
  end
  count('discovered', 1)
  local host = host_of(guess.host)
  if host.guesses < host.trust then
    queue_guess(host, guess)
  else
    hold(host, guess)
  end
  return true
end

local function prove(host, right)
  if right then
    host.trust = math.min(MOST_TRUST, host.trust + 1)
  else
    host.trust = host.trust - 1
  end
  host.changed = true
end

-- Whether no other guess of the host was answered with this text; '' stands for none, which is like no other.
local function is_first_answer(host, digest)
  return digest == '' or redis.call('SADD', key('answers'), host.name .. ' ' .. digest) == 1
end

-- Queues what is held as far as there are places. One that a real link has lifted meanwhile is dropped here.
local function take_up(host)
  while host.held > 0 and host.guesses < host.trust do
    local text = redis.call('LPOP', held_key(host))
    local fingerprint, path, facts = string.match(text, '^(%S+) (%S+) (.+)$')
    local guess = { host = host.name, path = path, fingerprint = fingerprint, facts = facts }
    host.held = host.held - 1
    host.changed = true
    if undefer(guess) then
      queue_guess(host, guess)
    end
  end
end

local function take_up_guesses()
  for _, host in pairs(hosts) do
    take_up(host)
  end
end
