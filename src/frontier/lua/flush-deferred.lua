-- Writes URLs that stay skipped for the way to them to the journal, `count` in a call, in no order.
-- Reply: {how many were written, how many are left}.

advance_clock(args.now)
local found = redis.call('HRANDFIELD', key('deferred'), args.count, 'WITHVALUES')
local lines = {}
for index = 1, #found, 2 do
  redis.call('HDEL', key('deferred'), found[index])
  lines[#lines + 1] = found[index + 1]
end
write_state()
write_skipped(lines)
return { #lines, redis.call('HLEN', key('deferred')) }
