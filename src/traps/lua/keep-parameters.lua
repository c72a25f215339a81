-- Stores what a visit taught about the parameters of its page, unless another process has changed it meanwhile.
-- Reply: 1, or 0 where the caller must read and learn again.

local PREFIX = string.sub(keys.meta, 1, -#'meta' - 1)

local function key(name)
  return PREFIX .. name
end

-- Most families learnt per host: a host with a pattern per page would otherwise have endless families.
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
