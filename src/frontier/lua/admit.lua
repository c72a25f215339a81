-- Makes URLs known: candidates are queued, skipped ones recorded.
-- Arguments:
--   now    epoch ms
--   seeds  yes where all URLs are seeds, probes where all are soft-404 probes, else no
--   shares '' where no more seeds come than these; else the shares of lambda's credit of which each seed gets one: twice the number of all
--          seeds, less the number of those that came in earlier calls
--   epoch  of the caller, see includes/leader.lua
-- Rest: groups of URLs (includes/admission.lua).
-- Reply: one digit per URL, 1 where it was new. Cost: O(URLs); the caller bounds their number.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local groups = admission.read_groups()
lookup.find(groups)
local candidates = admission.of_class(groups, 'c')
admission.reopen(candidates)

-- New seeds share half of lambda's credit. Probes borrow as much, so that they come first; a commit gives it back.
local share = 0
if args.seeds ~= 'no' then
  local seeds = 0
  for _, group in ipairs(groups) do
    for _, link in ipairs(group) do
      if args.seeds == 'yes' then
        admission.add_seed(group.host .. link.path)
      end
      if not link.value and (not link.ended or link.reopened) then
        seeds = seeds + 1
      end
    end
  end
  share = credit.seed_share(args.shares == '' and seeds or tonumber(args.shares) / 2)
end

for _, group in ipairs(candidates) do
  admission.admit(group, share, 0)
end
local lines = admission.admit_others(groups)
credit.take_from_lambda(-credit.in_transit)

journal.add_skipped(lines)
admission.flush()
return (admission.flags(groups))
