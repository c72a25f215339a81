-- The state of the crawl as a whole: its clock, its counters and its lambda page. A script finds it in `crawl.state` and writes it back with
-- `crawl.write()`.

--- @record crawl
---   clock           highest time seen (epoch ms); a clock that was set back stands still here until it has caught up
---   promoted        hosts that were due by then (epoch ms) stand in `ready`
---   token           the last one given to a lease
---   sources         how many there ever were: the number of the last one
---   lambda          balance of the lambda page (credit)
---   received        credit that lambda got since its last dividend
---   commits         visits committed since its last dividend
---   dividend_index  what lambda has paid each domain so far (credit.lua)
---   domains         how many have pending URLs that take part in credit
---   history         credit that all visits together have paid
---   discovered      URLs that were ever known
---   visited         URLs that were visited
---   failed          URLs that failed for good
---   skipped         URLs that are not followed, those skipped so far included
---   queued          URLs that wait, those that wait for another try included
---   queued_again    those of them that wait for a second visit (again.lua)
---   withheld        URLs that wait for their first visit and that the host limit withholds (host_limit.lua)
---   withheld_again  the same of second visits
---   leased          leases that are out
---   leased_again    those of them that are for a second visit
---   awaiting_dns    hosts whose name is not resolved
---   open_circuits   hosts whose circuit is open
---   hosts           hosts that were ever known: the last one's id, which is shorter than its name
---   unfinished      hosts that have something pending
---   awaits_dns      1 where no host is visited before its name is resolved
---   judging         1 where URL patterns have budgets
---   host_limit      pages of a host that may be visited; 0 for any number
---   suspects        URLs over which the program ended and that wait to be visited alone
---   alone           1 while one of them is visited (lease.lua)
---   counted         pages that count for the limit of pages
---   apart           1 where politeness counts for each egress address (egresses.lua)
---   egresses        egress addresses that were ever named

-- More than the record has fields.
local ZEROS = 40

local function first_state()
  local lambda, addresses, budgets, egress_addresses = unpack(redis.call('HMGET', keys.meta, 'credit', 'addresses', 'budgets', 'egresses'))
  local state = crawl.unpack(string.rep(cmsgpack.pack(0), ZEROS))
  state.lambda = tonumber(lambda)
  state.awaits_dns = addresses == 'awaited' and 1 or 0
  state.judging = budgets == 'off' and 0 or 1
  state.apart = egress_addresses == 'apart' and 1 or 0
  return state
end

at_each_call(function()
  local packed = redis.call('GET', store.key('state'))
  crawl.state = packed and crawl.unpack(packed) or first_state()
end)

function crawl.advance_clock(now)
  crawl.state.clock = math.max(crawl.state.clock, tonumber(now))
end

function crawl.count(counter, change)
  local state = crawl.state
  state[counter] = state[counter] + change
end

-- Writes the state and all records that were set. The last thing that a script does.
function crawl.write()
  egresses.write()
  store.set(store.key('state'), crawl.pack(crawl.state))
  store.write_records()
end
