-- Notes that a part of the crawl has hosts on an address.
-- Arguments:
--   address  of the hosts
--   part     number of the part; '' to read only
-- Reply: the numbers of all parts with hosts there, separated by spaces.

local known = redis.call('HGET', store.key('addresses'), args.address) or ''
if args.part == '' or string.find(' ' .. known .. ' ', ' ' .. args.part .. ' ', 1, true) then
  return known
end
known = known == '' and args.part or known .. ' ' .. args.part
redis.call('HSET', store.key('addresses'), args.address, known)
return known
