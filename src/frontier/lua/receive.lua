-- Takes credit that another part of the crawl has sent, each entry once (includes/exchange.lua).
-- Arguments:
--   from    number of that part
--   first   number of the first entry
--   last    number of the last one
--   credit  of all URLs of these entries
--   lambda  credit for lambda
--   epoch   of the caller, see includes/leader.lua
-- Rest: credit per URL, and the groups of URLs that get it (includes/credit_links.lua); each URL once. The credit of a URL that is no longer
-- pending goes to lambda.
-- Reply: number of the last entry taken; nothing changes if some of these entries were taken before. A gap before `first` means that the
-- missing entries were taken, too, but a failover replica lost the record.

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
