-- Takes credit that another part of the crawl has sent, each entry once (includes/exchange.lua).
-- Arguments:
--   from    number of that part
--   first   number of the first entry
--   last    number of the last one
--   credit  of all URLs of these entries
--   lambda  what is for lambda
--   epoch   of the caller, see includes/leader.lua
-- Rest: what each URL gets, and the groups of those that get it (includes/credit_links.lua); no URL twice. What a URL would get that is pending no
-- more goes to lambda.
-- Reply: number of the last entry that was taken; nothing changes where some of these were taken before. Entries between those and `first` were taken,
-- too, and a replica that took over does not know of it.

leader.check(args.epoch)
local received = tonumber(redis.call('HGET', store.key('received'), args.from) or '0')
if received >= tonumber(args.first) then
  return received
end
redis.call('HSET', store.key('received'), args.from, args.last)
crawl.count('lambda', tonumber(args.lambda))
credit.in_transit = credit.in_transit + tonumber(args.credit)
local payments = {}
while ARGV[REST] do
  local share = tonumber(ARGV[REST])
  REST = REST + 1
  payments[#payments + 1] = { share = share, groups = credit_links.find_late(credit_links.read_groups()) }
end
for _, payment in ipairs(payments) do
  credit_links.pay(payment.groups, payment.share)
end
credit.give_to_lambda(credit.in_transit)
hosts.flush()
credit.flush()
crawl.write()
return tonumber(args.last)
