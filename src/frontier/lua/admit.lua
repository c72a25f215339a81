-- Makes URLs known: candidates are queued, skipped ones recorded.
-- Reply: how many were new. Cost: O(URLs); the caller bounds their number.
--- @include "store"
--- @include "record"
--- @include "queue"
--- @include "host"
--- @include "seen"
--- @include "credit"
--- @include "journal"
--- @include "admission"
--- @include "guess"

advance_clock(args.now)
local urls = sightings()

local distinct = {}
local seeds = 0
for _, sighting in ipairs(urls.c) do
  if unpack_facts(sighting.facts).kind == args.seedKind then
    add_seed(sighting.host .. sighting.path)
    if not distinct[sighting.fingerprint] and is_admissible(sighting) then
      distinct[sighting.fingerprint] = true
      seeds = seeds + 1
    end
  end
end
local share = seed_share(seeds)
for _, candidate in ipairs(urls.c) do
  candidate.credit = distinct[candidate.fingerprint] and share or 0
  distinct[candidate.fingerprint] = nil
end

local new = 0
local function add(isNew)
  if isNew then
    new = new + 1
  end
end
admit_all(urls.c)
for _, candidate in ipairs(urls.c) do
  if candidate.taken then
    to_lambda(-candidate.credit)
  end
  add(candidate.new)
end
local lines = {}
for _, sighting in ipairs(urls.s) do
  add(skip(sighting, lines))
end
for _, guess in ipairs(urls.g) do
  add(admit_guess(guess))
end

take_up_guesses()
write_journal({ page = 'null', links = '', new = '', skipped = lines, cash = 0, history = 0 })
flush_hosts()
close_books()
return new
