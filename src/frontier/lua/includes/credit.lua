-- The policy of credit (Abiteboul, Preda, Cobena 2003). All credit of a crawl is 2^52, whole numbers; what a page gives goes to
-- its links and to the lambda page, and nothing is made or lost. Needs store, entry, queue, host.
--
-- The lambda page pays every domain that has pending pages the same (else who has more hosts would be paid more), a domain its
-- queues the same, and a queue its pages (else who has more pages would be). The common queue of a host is as many queues as it
-- has patterns without a queue of their own (common_shares). None of them is written for that: whoever pays raises its
-- dividend index by what each gets, and who gets it looks how far the dividend index has risen since it last looked; what does not divide stays in
-- the remainder. A page's credit is its balance and the dividend index of its queue.

-- Part of a page's cash that goes to lambda untouched: 1 / TAX_DIVISOR (10 %; stops chains, algorithms A1.5).
local TAX_DIVISOR = 10
-- A target that has ended counts for so much of one that waits: what it would get can order nothing any more, and most links of a page, its
-- navigation, lead to such. Not for nothing, or a chain in the navigation would lose no more than the tax at each page.
local ENDED_PART = 1 / 16
-- Lambda pays when it has got this much, or after so many commits. All that wait get the same, whatever links say of them: paid at every
-- eighth of the credit it cost more recall of the pages that matter, and held traps no better (test/bench/RESULTS.md).
local DIVIDEND_AT = 2 ^ 52 / 2
local DIVIDEND_COMMITS = 1000
-- A dividend index of lambda or of a domain begins again at 0: only how far it has risen counts, and that is never more than 2^52.
local WRAP = 2 ^ 53

local domains
-- Credit that was taken from somewhere and not yet given on; 0 at the end of every script.
local in_transit

at_each_call(function()
  domains, in_transit = {}, 0
end)

--- @record domain remainder collected_index dividend_index shares leased fetched throttled | changed

-- As it is stored; false where it is new.
local function known_domain(name, packed)
  domains[name] = packed and unpack_domain(packed)
    or { remainder = 0, collected_index = state.dividend_index, dividend_index = 0, shares = 0, leased = 0, fetched = 0, throttled = 0 }
  return domains[name]
end

local function domain_of(host)
  local name = host.domain_name
  return domains[name] or known_domain(name, redis.call('GET', key('domain:' .. name)))
end

local function flush_domains()
  for name, domain in pairs(domains) do
    if domain.changed then
      set(key('domain:' .. name), pack_domain(domain))
    end
  end
end

local function advance(index, by)
  return index >= WRAP - by and index - (WRAP - by) or index + by
end

local function growth(from, to)
  return to >= from and to - from or to - from + WRAP
end

local function take_from_lambda(credit)
  count('lambda', -credit)
  in_transit = in_transit + credit
end

local function give_to_lambda(credit)
  count('lambda', credit)
  count('received', credit)
  in_transit = in_transit - credit
end

-- The lambda page pays, in the place of a page that is leased.
local function pay_dividend()
  if state.domains == 0 or (state.received < DIVIDEND_AT and state.commits < DIVIDEND_COMMITS) then
    return
  end
  local share = math.floor(state.lambda / state.domains)
  state.dividend_index = advance(state.dividend_index, share)
  count('lambda', -share * state.domains)
  state.received, state.commits = 0, 0
end

local function collect_domain(domain)
  local got = growth(domain.collected_index, state.dividend_index)
  if got == 0 then
    return
  end
  domain.collected_index, domain.changed = state.dividend_index, true
  if domain.shares > 0 then
    domain.remainder = domain.remainder + got
    local share = math.floor(domain.remainder / domain.shares)
    domain.dividend_index = advance(domain.dividend_index, share)
    domain.remainder = domain.remainder - share * domain.shares
  end
end

-- Hosts of a domain that has had so many pages come after all others (BEAST: deferred, not dropped), new hosts of it included.
local DOMAIN_CAP = 10000

local function cap(host)
  local capped = domain_of(host).fetched >= DOMAIN_CAP and 1 or 0
  if capped ~= host.capped then
    host.capped, host.changed = capped, true
  end
end

-- How many queues the common queue of a host is: none where nobody in it is paid.
local function common_shares(host)
  return math.min(host.members, math.max(1, host.patterns - host.pattern_queues))
end

-- Brings the queues of a host up to what their domain has paid; before any page of it comes or goes.
local function collect_queues(host)
  local domain = domain_of(host)
  collect_domain(domain)
  cap(host)
  local got = growth(host.collected_index, domain.dividend_index)
  if got == 0 then
    return
  end
  host.collected_index, host.changed = domain.dividend_index, true
  if host.pattern_queues > 0 then
    load_queues(host)
  end
  for number, queue in pairs(host.loaded) do
    if queue.members > 0 and queue.over_budget ~= 1 then
      queue.remainder = queue.remainder + got * (number == 0 and common_shares(host) or 1)
      local share = math.floor(queue.remainder / queue.members)
      queue.remainder = queue.remainder - share * queue.members
      queue.dividend_index, queue.has_collected = queue.dividend_index + share, true
    end
  end
end

local function collect(host)
  collect_queues(host)
  for _, queue in pairs(host.loaded) do
    if queue.has_collected then
      queue.has_collected, queue.changed = false, true
      if queue.dividend_index > HIGHEST_INDEX then
        rebase(queue)
      end
    end
  end
end

local function forfeit(account)
  in_transit = in_transit + account.remainder
  give_to_lambda(account.remainder)
  account.remainder = 0
end

-- Queues of an up-to-date host's domain come or go. A remainder that is nobody's goes to lambda.
local function change_shares(host, change)
  if change == 0 then
    return
  end
  local domain = domain_of(host)
  domain.shares, domain.changed = domain.shares + change, true
  if change > 0 and domain.shares == change then
    count('domains', 1)
  elseif domain.shares == 0 then
    forfeit(domain)
    count('domains', -1)
  end
end

-- Pages of a up-to-date host come. The balance of each is what it brings, less the dividend index.
local function join(queue, entries)
  if queue.members == 0 then
    queue.dividend_index = 0
  end
  local is_first, before = queue.members == 0, common_shares(queue.host)
  queue.members, queue.changed = queue.members + entries, true
  if queue.number == 0 then
    change_shares(queue.host, common_shares(queue.host) - before)
  elseif is_first and queue.over_budget == 0 then
    change_shares(queue.host, 1)
  end
end

-- A page of a up-to-date host goes, and its credit was taken.
local function leave(queue)
  local before = common_shares(queue.host)
  queue.members, queue.changed = queue.members - 1, true
  if queue.members == 0 then
    forfeit(queue)
  end
  if queue.number == 0 then
    change_shares(queue.host, common_shares(queue.host) - before)
  elseif queue.members == 0 and queue.over_budget == 0 then
    change_shares(queue.host, -1)
  end
end

-- What each of a number of new seeds gets: they share half of what lambda has.
local function seed_share(seeds)
  return seeds == 0 and 0 or math.floor(state.lambda / 2 / seeds)
end

-- What each of the distinct targets that wait or are new gets of a page's cash, beside those that have ended.
local function link_share(cash, waiting, ended)
  local part = waiting + ended * ENDED_PART
  return waiting == 0 and 0 or math.floor((cash - math.floor(cash / TAX_DIVISOR)) / part)
end

local function flush_credit()
  assert(in_transit == 0 and state.lambda >= 0, 'credit was made or lost')
  flush_domains()
end
