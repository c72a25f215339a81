-- Sends credit of the lambda page to that of another part of the crawl.
-- Arguments:
--   to      number of that part
--   amount  at most; no more than there is
--   epoch   of the caller, see includes/leader.lua
-- Reply: 1, or 0 where there is nothing.

leader.check(args.epoch)
local amount = math.min(tonumber(args.amount), crawl.state.lambda)
if amount <= 0 then
  return 0
end
credit.take_from_lambda(amount)
exchange.send(args.to, amount, 0, '')
credit.flush()
crawl.write()
return 1
