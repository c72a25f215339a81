-- Notes that a part of the crawl has hosts on an address.
-- Arguments:
--   address  of the hosts
--   part     its number; '' where nothing is to be noted
-- Reply: the numbers of all parts that have, with spaces between.

local known = redis.call('HGET', store.key('addresses'), args.address) or ''
if args.part == '' or string.find(' ' .. known .. ' ', ' ' .. args.part .. ' ', 1, true) then
  return known
end
known = known == '' and args.part or known .. ' ' .. args.part
redis.call('HSET', store.key('addresses'), args.address, known)
return known
