-- Writes URLs that stay skipped because of their links to the journal, in no order.
-- Arguments:
--   now    epoch ms
--   count  URLs in this call
--   epoch  of the caller, see includes/leader.lua
-- Reply: {number written, number left}.

leader.check(args.epoch)
crawl.advance_clock(args.now)
local found = redis.call('HRANDFIELD', store.key('deferred'), args.count, 'WITHVALUES')
local lines = {}
for index = 1, #found, 2 do
  redis.call('HDEL', store.key('deferred'), found[index])
  lines[#lines + 1] = found[index + 1]
end
crawl.write()
journal.add_skipped(lines)
return { #lines, redis.call('HLEN', store.key('deferred')) }
