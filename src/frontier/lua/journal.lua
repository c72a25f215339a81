-- The oldest `count` entries. Reply: {number of the entry after them, entry, ...}.

local entries = redis.call('LRANGE', key('journal'), 0, tonumber(args.count) - 1)
local written = tonumber(redis.call('HGET', keys.meta, 'written') or '0')
table.insert(entries, 1, whole(written + #entries))
return entries
