-- Keeps what a visit taught of the parameters of its page, unless somebody else has changed it meanwhile.
-- Reply: 1, or 0 where it is to be read and learnt again.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)

local function key(name)
  return PREFIX .. name
end

-- Families of a host that are learnt: one that makes a pattern of each page would have no end.
local MOST_FAMILIES = 1024

local families_key, rows_key = key('parameters:' .. args.host), key('rows:' .. args.host)
local family = redis.call('HGET', families_key, args.family) or ''
if family ~= args.familyBefore or (redis.call('HGET', rows_key, args.row) or '') ~= args.rowBefore then
  return 0
end
if family == '' and redis.call('HLEN', families_key) >= MOST_FAMILIES then
  return 1
end
if args.familyAfter ~= family then
  redis.call('HSET', families_key, args.family, args.familyAfter)
end
if args.rowAfter ~= args.rowBefore then
  redis.call('HSET', rows_key, args.row, args.rowAfter)
end
redis.call(args.learnt == 'yes' and 'SADD' or 'SREM', key('learnt'), args.host .. ' ' .. args.family)
if args.undone ~= '' then
  redis.call('SADD', key('undone'), args.undone)
end
return 1
