-- Reads the oldest entries of the journal.
-- Arguments:
--   count  entries, at most
--   epoch  of the caller, see includes/leader.lua
-- Reply: {number of the entry after them, entry, ...}.

leader.check(args.epoch)
local texts = redis.call('LRANGE', store.key('journal'), 0, tonumber(args.count) - 1)
local written = tonumber(redis.call('HGET', keys.meta, 'written') or '0')
table.insert(texts, 1, store.whole(written + #texts))
return texts
