-- Queues URLs that were visited for a second visit.
-- Arguments:
--   now       epoch ms
--   recorded  JSON, of some of the URLs: hashes of what their first visits recorded
--   epoch     of the caller, see includes/leader.lua
-- Rest: groups of URLs, all candidates (includes/admission.lua).
-- Reply: how many were queued. Cost: O(URLs); the caller bounds their number.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local groups, recorded, queued = admission.read_groups(), cjson.decode(args.recorded), 0
lookup.find(groups)
for _, group in ipairs(groups) do
  queued = queued + again.queue(group, recorded)
end
admission.flush()
return queued
