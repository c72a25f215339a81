-- The state of the crawl: its clock, its counters and its lambda page. Scripts read it in `crawl.state` and write it back with
-- `crawl.write()`.

--- @record crawl
---   clock           highest time seen (epoch ms); if the caller's clock is set back, this one stands still until that has caught up
---   promoted        time (epoch ms) up to which due hosts are in `ready`
---   token           token of the last lease
---   sources         number of the last source, the count of all sources ever
---   lambda          balance of the lambda page (credit)
---   received        credit received by lambda since its last dividend
---   commits         visits committed since lambda's last dividend
---   dividend_index  sum of lambda's dividends per domain so far (credit.lua)
---   domains         number of domains with pending URLs that take part in credit
---   history         credit paid by all visits
---   discovered      URLs ever known
---   visited         URLs visited
---   failed          URLs that failed for good
---   skipped         URLs that are not followed, including those skipped so far
---   queued          URLs that wait, including those that wait for another try
---   queued_again    queued URLs that wait for a second visit (again.lua)
---   withheld        URLs that wait for their first visit but are withheld by the host limit (host_limit.lua)
---   withheld_again  the same for second visits
---   leased          leases that are out
---   leased_again    leases for second visits
---   awaiting_dns    hosts with unresolved names
---   open_circuits   hosts with an open circuit
---   hosts           hosts ever known; also the id of the last one, which is shorter than its name
---   unfinished      hosts with pending URLs
---   awaits_dns      1 where hosts are visited only after their names are resolved
---   judging         1 where URL patterns have budgets
---   host_limit      most pages per host; 0 for no limit
---   suspects        URLs over which the program ended, waiting to be visited alone
---   alone           1 while a suspect is visited (lease.lua)
---   counted         pages that count for the page limit
---   apart           1 where politeness counts per egress address (egresses.lua)
---   egresses        egress addresses ever named

-- More zeros than the record has fields.
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

-- Writes the state and all records that were set. Must be the last step of a script.
function crawl.write()
  egresses.write()
  store.set(store.key('state'), crawl.pack(crawl.state))
  store.write_records()
end
