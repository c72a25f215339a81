-- Sends credit of this part's lambda page to that of another part of the crawl.
-- Arguments:
--   to      number of that part
--   amount  most credit to send; limited by what lambda has
--   epoch   of the caller, see includes/leader.lua
-- Reply: 1, or 0 where there is no credit to send.

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
