-- Commits a finished visit: its ending, its credit, its links, the host's next visit, the journal. All or nothing.
-- `ending` is visited | failed | skipped | retry. Reply: {'fenced'} | {'settled', number of new URLs}.
-- Cost: O(links); the caller bounds their number.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"
--- @include "lease"
--- @include "seen"
--- @include "credit"
--- @include "journal"
--- @include "admission"
--- @include "guess"

local lease = take_back(args.token)
if not lease then
  return { 'fenced' }
end
advance_clock(args.now)

local host = host_of(lease.host)
if args.hostBackoff ~= '' then
  -- Visits that were out together when the host failed are one failure of it.
  if lease.leased_at >= host.failed_at then
    host.failures = host.failures + 1
    host.failed_at = NOW
  end
  postpone(host, NOW + tonumber(args.hostBackoff))
else
  host.failures = 0
end
host.delay = tonumber(args.hostDelay)
host.slots = tonumber(args.hostSlots)
postpone(host, NOW + host.delay)

if args.ending == 'retry' then
  wait_until(lease, args.retryDue)
else
  count(args.ending, 1)
end

-- A guess gives its place back before its links are looked at, for the target of its redirect may take it.
local moved = false
if args.ending ~= 'retry' and is_guess(lease.facts) then
  host.guesses = host.guesses - 1
  moved = args.answer == 'redirected'
  if args.ending == 'failed' then
    prove(host, false)
  elseif args.ending == 'visited' and not moved then
    prove(host, is_first_answer(host, args.answer))
  end
end

-- Each distinct target gets the same share; shares of what has ended, the page itself included, go to lambda.
local links = sightings()
local cash = lease.credit
if args.ending == 'visited' then
  local unpaid = {}
  local targets = 0
  for _, candidate in ipairs(links.c) do
    if not unpaid[candidate.fingerprint] then
      unpaid[candidate.fingerprint] = candidate
      targets = targets + 1
    end
  end
  local share = link_share(cash, targets)
  for _, candidate in pairs(unpaid) do
    candidate.credit = share
  end
end

local flags = {}
for index = 1, links.total do
  flags[index] = '0'
end
local new = 0
local function flag(index, isNew)
  if isNew then
    flags[index] = '1'
    new = new + 1
  end
end
local given = 0
admit_all(links.c)
for _, candidate in ipairs(links.c) do
  if candidate.taken then
    given = given + candidate.credit
  end
  flag(candidate.index, candidate.new)
end
local lines = {}
for _, sighting in ipairs(links.s) do
  flag(sighting.index, skip(sighting, lines))
end
for _, guess in ipairs(links.g) do
  local isNew = admit_guess(guess)
  flag(guess.index, isNew)
  moved = moved and not isNew
end
if moved then
  prove(host, false)
end
take_up_guesses()

local history = 0
if args.ending ~= 'retry' then
  assert(given >= 0 and given <= cash, 'credit would be made')
  to_lambda(cash - given)
  history = cash
end
for _, url in ipairs(cjson.decode(args.newSeeds)) do
  add_seed(url)
end

if args.skipped ~= '' then
  table.insert(lines, 1, args.skipped)
end
write_journal({
  page = args.page,
  links = args.links,
  new = table.concat(flags),
  skipped = lines,
  cash = lease.credit_at_lease,
  history = history,
})
flush_hosts()
close_books()
return { 'settled', new }
