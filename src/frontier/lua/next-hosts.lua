-- Reads the candidates for the next lease in this part of the crawl, after promotion of hosts that have become due.
-- Arguments:
--   now    epoch ms
--   count  hosts, at most
--   parts  of the crawl
--   epoch  of the caller, see includes/leader.lua
-- Reply: {leases that are out, 1 while one of them must be alone, 1 where a URL over which the program ended is due, credit of lambda, domains
-- paid by lambda, due time of the longest due host (epoch ms; '' where none is due), priority of a due host, ...}, the highest priority first.

leader.check(args.epoch)
crawl.advance_clock(args.now)
credit.pay_dividend(tonumber(args.parts))
health.close_circuits()
promotion.promote()
hosts.flush()
credit.flush()
crawl.write()

local function has_suspect_due()
  for _, member in ipairs(crawl.state.suspects > 0 and redis.call('LRANGE', store.key('suspects'), 0, -1) or {}) do
    local host = leases.place_of(member).host
    if host.awaiting_dns == 0 and host.status ~= hosts.CIRCUIT_OPEN and host.due <= crawl.state.clock then
      return 1
    end
  end
  return 0
end

local state = crawl.state
local longest = redis.call('ZRANGEBYSCORE', store.key('due'), '-inf', store.whole(state.clock), 'WITHSCORES', 'LIMIT', 0, 1)[2]
local reply = { state.leased, state.alone, has_suspect_due(), store.whole(state.lambda), state.domains, longest or '' }
local ready = redis.call('ZRANGE', store.key('ready'), 0, tonumber(args.count) - 1, 'WITHSCORES')
for index = 2, #ready, 2 do
  reply[#reply + 1] = store.whole(-tonumber(ready[index]))
end
return reply
