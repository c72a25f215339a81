-- Queues visited URLs for a second visit.
-- Arguments:
--   now       epoch ms
--   recorded  JSON: for some of the URLs, hashes of the links that their first visits recorded
--   epoch     of the caller, see includes/leader.lua
-- Rest: groups of URLs, all candidates (includes/admission.lua).
-- Reply: number of URLs queued. Cost: O(URLs); the caller bounds their number.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local groups, recorded, queued = admission.read_groups(), cjson.decode(args.recorded), 0
lookup.find(groups)
for _, group in ipairs(groups) do
  queued = queued + again.queue(group, recorded)
end
admission.flush()
return queued
