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
for _, sighting in ipairs(urls) do
  if sighting.kind == 'candidate' and unpack_facts(sighting.facts).kind == args.seedKind then
    add_seed(sighting.host .. sighting.path)
    if not distinct[sighting.fingerprint] and is_admissible(sighting) then
      distinct[sighting.fingerprint] = true
      seeds = seeds + 1
    end
  end
end
local share = seed_share(seeds)

local new = 0
local lines = {}
for _, sighting in ipairs(urls) do
  if sighting.kind == 'candidate' then
    local credit = distinct[sighting.fingerprint] and share or 0
    distinct[sighting.fingerprint] = nil
    local taken, isNew = admit(sighting, credit)
    if taken then
      to_lambda(-credit)
    end
    if isNew then
      new = new + 1
    end
  end
end
for _, sighting in ipairs(urls) do
  if sighting.kind == 'skipped' and skip(sighting, lines) then
    new = new + 1
  end
end
for _, sighting in ipairs(urls) do
  if sighting.kind == 'guess' and admit_guess(sighting) then
    new = new + 1
  end
end

take_up_guesses()
write_journal({ page = 'null', links = '[]', new = '', skipped = lines, cash = 0, history = 0 })
flush_hosts()
close_books()
return new
