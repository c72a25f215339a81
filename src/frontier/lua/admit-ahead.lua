-- Makes a page's URLs known in this part of the crawl, ahead of the page's commit in another part, which brings their credit later.
-- Arguments:
--   now   epoch ms
--   page  fingerprint of the page, a decimal number
-- Rest: groups of URLs (includes/admission.lua).
-- Reply: {one digit per URL, 1 where the page made it known, standing of each candidate (admission.add_places)}. Cost: O(URLs); the caller
-- bounds their number.

crawl.advance_clock(args.now)
local groups = admission.read_groups()
lookup.find(groups)
local candidates = admission.of_class(groups, 'c')
admission.reopen(candidates)
for _, group in ipairs(candidates) do
  admission.admit(group, 0)
end
local lines = admission.admit_others(groups)
ahead.mark(groups, args.page)

journal.add_skipped(lines)
admission.flush()
local flags = admission.flags(groups)
return admission.add_places({ flags }, candidates)
