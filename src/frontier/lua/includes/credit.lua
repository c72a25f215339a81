-- Credit: AOPIC (Abiteboul, Preda, Cobena 2003) with lazily collected dividends. The credit of a crawl is always 2^52, in whole numbers. A
-- page gives its credit to its links and to the lambda page; none is made or lost.
--
-- The lambda page pays dividends, equal for all domains with pending URLs (otherwise more hosts would mean more credit), equal for all
-- shares of a domain, and equal for all members of a queue (otherwise more pages would mean more credit). A pattern queue holds one share,
-- the common queue of a host one for each pattern without a queue of its own (common_shares).
--
-- Payments are not written per receiver. A payer adds the payment per receiver to its dividend index; a receiver collects the growth of that
-- index since it last collected. Remainders of divisions are kept. The credit of an entry is its balance plus the dividend index of its queue.

-- Tax: this part of a page's credit goes to lambda first: 1 / TAX_DIVISOR (10 %; stops chains: design/scheduling, "What lambda pays").
local TAX_DIVISOR = 10
-- Weight of an ended target relative to a waiting one. Its share can no longer order anything, and most links of a page, the
-- navigation, lead to ended targets. It is not 0, or a chain in the navigation would lose only the tax at each page.
local ENDED_PART = 1 / 16
-- Lambda pays a dividend when it has received this much, or after this many commits. All receivers get the same, whatever their links:
-- dividends at every eighth of the credit cost more recall of important pages, and held traps no better (test/bench/RESULTS.md).
local DIVIDEND_AT = 2 ^ 52 / 2
local DIVIDEND_COMMITS = 1000
-- Dividend indexes of lambda and of domains wrap here: only their growth counts, and that is never more than 2^52.
local WRAP = 2 ^ 53
-- After this many pages of a domain, its hosts, new ones included, come after all others (BEAST: later, not dropped).
local DOMAIN_CAP = 10000

-- `credit.in_transit` is credit taken from one place and not yet given to another: 0 at the end of every script.
at_each_call(function()
  credit.in_transit = 0
end)

local function advance(index, by)
  return index >= WRAP - by and index - (WRAP - by) or index + by
end

local function growth(from, to)
  return to >= from and to - from or to - from + WRAP
end

function credit.take_from_lambda(amount)
  crawl.count('lambda', -amount)
  credit.in_transit = credit.in_transit + amount
end

function credit.give_to_lambda(amount)
  crawl.count('lambda', amount)
  crawl.count('received', amount)
  credit.in_transit = credit.in_transit - amount
end

-- Repays credit borrowed from lambda; it does not count as received.
function credit.repay(amount)
  crawl.count('lambda', amount)
end

-- Pays lambda's dividend if it is due, which replaces a visit of the lambda page. `parts` is the number of parts that the crawl's credit is
-- split over (exchange.lua).
function credit.pay_dividend(parts)
  local state = crawl.state
  if state.domains == 0 or (state.received < DIVIDEND_AT / parts and state.commits < DIVIDEND_COMMITS) then
    return
  end
  local share = math.floor(state.lambda / state.domains)
  state.dividend_index = advance(state.dividend_index, share)
  crawl.count('lambda', -share * state.domains)
  state.received, state.commits = 0, 0
end

-- Collects a domain's dividend from lambda and pays the domain's shares.
local function collect_domain(domain)
  local index = crawl.state.dividend_index
  local amount = growth(domain.collected_index, index)
  if amount == 0 then
    return
  end
  domain.collected_index, domain.changed = index, true
  if domain.shares > 0 then
    domain.remainder = domain.remainder + amount
    local share = math.floor(domain.remainder / domain.shares)
    domain.dividend_index = advance(domain.dividend_index, share)
    domain.remainder = domain.remainder - share * domain.shares
  end
end

-- Sets the host's cap if its domain has reached the limit.
function credit.cap(host)
  local capped = domains.of(host).fetched >= DOMAIN_CAP and 1 or 0
  if capped ~= host.capped then
    host.capped, host.changed = capped, true
  end
end

-- Number of shares of a host's common queue: 0 where no entry in it takes part in credit.
local function common_shares(host)
  return math.min(host.members, math.max(1, host.patterns - host.pattern_queues))
end

-- Collects dividends for a host's queues from its domain, in memory only: for scripts that only read.
function credit.collect_queues(host)
  local domain = domains.of(host)
  collect_domain(domain)
  credit.cap(host)
  local amount = growth(host.collected_index, domain.dividend_index)
  if amount == 0 then
    return
  end
  host.collected_index, host.changed = domain.dividend_index, true
  if host.limit_state == host_limit.USED_UP then
    return
  end
  if host.pattern_queues > 0 then
    hosts.load_queues(host)
  end
  for number, queue in pairs(host.loaded) do
    if queue.members > 0 and queue.over_budget ~= 1 then
      queue.remainder = queue.remainder + amount * (number == 0 and common_shares(host) or 1)
      local share = math.floor(queue.remainder / queue.members)
      queue.remainder = queue.remainder - share * queue.members
      queue.dividend_index, queue.has_collected = queue.dividend_index + share, true
    end
  end
end

-- Collects dividends for a host's queues from its domain. Scripts call this before an entry of the host comes or goes.
function credit.collect(host)
  credit.collect_queues(host)
  for _, queue in pairs(host.loaded) do
    if queue.has_collected then
      queue.has_collected, queue.changed = false, true
      if queue.dividend_index > entries.HIGHEST_INDEX then
        queues.rebase(queue)
      end
    end
  end
end

-- Gives the remainder of a queue or a domain to lambda.
function credit.forfeit(account)
  credit.in_transit = credit.in_transit + account.remainder
  credit.give_to_lambda(account.remainder)
  account.remainder = 0
end

-- Changes the number of shares of a host's queues, after it has collected; a host that has used up its limit holds none. A domain without
-- shares gives its remainder to lambda.
function credit.change_shares(host, change)
  if change == 0 or host.limit_state == host_limit.USED_UP then
    return
  end
  local domain = domains.of(host)
  domain.shares, domain.changed = domain.shares + change, true
  if change > 0 and domain.shares == change then
    crawl.count('domains', 1)
  elseif domain.shares == 0 then
    credit.forfeit(domain)
    crawl.count('domains', -1)
  end
end

-- Number of shares of all queues of a host that has not used up its limit.
function credit.shares_of(host)
  hosts.load_queues(host)
  local shares = common_shares(host)
  for number, queue in pairs(host.loaded) do
    if number > 0 and queue.members > 0 and queue.over_budget == 0 then
      shares = shares + 1
    end
  end
  return shares
end

-- Counts more patterns, or more pattern queues, of a host. A speculative link may add one to a host that has not collected yet.
function credit.count_patterns(host, more_patterns, more_queues)
  credit.collect(host)
  local before = common_shares(host)
  host.patterns, host.pattern_queues = host.patterns + more_patterns, host.pattern_queues + more_queues
  credit.change_shares(host, common_shares(host) - before)
end

-- Adds entries to a queue of a host that has collected. The caller sets the balance of each to its credit less the dividend index.
function credit.join(queue, count)
  if queue.members == 0 then
    queue.dividend_index = 0
  end
  local is_first, before = queue.members == 0, common_shares(queue.host)
  queue.members, queue.changed = queue.members + count, true
  if queue.number == 0 then
    credit.change_shares(queue.host, common_shares(queue.host) - before)
  elseif is_first and queue.over_budget == 0 then
    credit.change_shares(queue.host, 1)
  end
end

-- Removes an entry from a queue of a host that has collected; the caller has taken its credit.
function credit.leave(queue)
  local before = common_shares(queue.host)
  queue.members, queue.changed = queue.members - 1, true
  if queue.members == 0 then
    credit.forfeit(queue)
  end
  if queue.number == 0 then
    credit.change_shares(queue.host, common_shares(queue.host) - before)
  elseif queue.members == 0 and queue.over_budget == 0 then
    credit.change_shares(queue.host, -1)
  end
end

-- Credit per new seed: together they get half of lambda's credit.
function credit.seed_share(seeds)
  return seeds == 0 and 0 or math.floor(crawl.state.lambda / 2 / seeds)
end

-- Credit per distinct target that waits or is new, for a page that has `paid`; ended targets get less.
function credit.link_share(paid, waiting, ended)
  local parts = waiting + ended * ENDED_PART
  return waiting == 0 and 0 or math.floor((paid - math.floor(paid / TAX_DIVISOR)) / parts)
end

-- Asserts that no credit is in transit, and writes the domains.
function credit.flush()
  assert(credit.in_transit == 0 and crawl.state.lambda >= 0, 'credit was made or lost')
  domains.flush()
end
