-- Queues the URLs of a fold that proved wrong; from then on the fold accepts no URL.
-- Arguments:
--   now    epoch ms
--   fold   see includes/folds.lua
--   count  URLs in this call, at most
--   epoch  of the caller, see includes/leader.lua
-- Reply: {number queued, number left}.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local back, left = folds.undo(args.fold, tonumber(args.count))
admission.flush()
return { back, left }
