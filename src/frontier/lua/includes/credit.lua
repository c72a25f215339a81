-- The policy of credit (Abiteboul, Preda, Cobena 2003). All credit of a crawl is 2^52, whole numbers; what a page gives goes to
-- its links and to the lambda page, and nothing is made or lost. Needs store, page, unit, host.
--
-- The lambda page pays every domain that has pending pages the same (else who has more hosts would be paid more), a domain its
-- units the same, and a unit its pages (else who has more pages would be). The common queue of a host is as many units as it
-- has patterns without a queue of their own (common_units). None of them is written for that: whoever pays raises its
-- level by what each gets, and who gets it looks how far the level has risen since it last looked; what does not divide stays in
-- the pot. A page's credit is its off and the level of its unit.

-- Part of a page's cash that goes to lambda untouched: 1 / TAX_DIVISOR (10 %; stops chains, algorithms A1.5).
local TAX_DIVISOR = 10
-- A target that has ended counts for so much of one that waits: what it would get can order nothing any more, and most links of a page, its
-- navigation, lead to such. Not for nothing, or a chain in the navigation would lose no more than the tax at each page.
local ENDED_PART = 1 / 16
-- Lambda pays when it has got this much, or after so many commits. All that wait get the same, whatever links say of them: paid at every
-- eighth of the credit it cost more recall of the pages that matter, and held traps no better (test/bench/RESULTS.md).
local RICH = 2 ^ 52 / 2
local LONG = 1000
-- A level of lambda or of a domain begins again at 0: only how far it has risen counts, and that is never more than 2^52.
local TURN = 2 ^ 53

local domains
-- Credit that was taken from somewhere and not yet given on; 0 at the end of every script.
local in_hand

at_each_call(function()
  domains, in_hand = {}, 0
end)

--- @record domain pot seen level units leased fetched parked | changed

-- As it is stored; false where it is new.
local function known_domain(name, packed)
  domains[name] = packed and unpack_domain(packed)
    or { pot = 0, seen = books.paid, level = 0, units = 0, leased = 0, fetched = 0, parked = 0 }
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

local function raised(level, by)
  return level >= TURN - by and level - (TURN - by) or level + by
end

local function rise(from, to)
  return to >= from and to - from or to - from + TURN
end

local function take_from_lambda(credit)
  count('lambda', -credit)
  in_hand = in_hand + credit
end

local function give_to_lambda(credit)
  count('lambda', credit)
  count('income', credit)
  in_hand = in_hand - credit
end

-- The lambda page pays, in the place of a page that is leased.
local function pay_out()
  if books.domains == 0 or (books.income < RICH and books.commits < LONG) then
    return
  end
  local share = math.floor(books.lambda / books.domains)
  books.paid = raised(books.paid, share)
  count('lambda', -share * books.domains)
  books.income, books.commits = 0, 0
end

local function accrue_domain(domain)
  local got = rise(domain.seen, books.paid)
  if got == 0 then
    return
  end
  domain.seen, domain.changed = books.paid, true
  if domain.units > 0 then
    domain.pot = domain.pot + got
    local share = math.floor(domain.pot / domain.units)
    domain.level = raised(domain.level, share)
    domain.pot = domain.pot - share * domain.units
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

-- How many units the common queue of a host is: none where nobody in it is paid.
local function common_units(host)
  return math.min(host.members, math.max(1, host.patterns - host.units))
end

-- Brings the units of a host up to what their domain has paid; before any page of it comes or goes.
local function accrue_units(host)
  local domain = domain_of(host)
  accrue_domain(domain)
  cap(host)
  local got = rise(host.seen, domain.level)
  if got == 0 then
    return
  end
  host.seen, host.changed = domain.level, true
  if host.quota == quota.SPENT then
    return
  end
  if host.units > 0 then
    load_all_units(host)
  end
  for number, unit in pairs(host.loaded) do
    if unit.members > 0 and unit.closed ~= 1 then
      unit.pot = unit.pot + got * (number == 0 and common_units(host) or 1)
      local share = math.floor(unit.pot / unit.members)
      unit.pot = unit.pot - share * unit.members
      unit.level, unit.was_paid = unit.level + share, true
    end
  end
end

local function accrue_host(host)
  accrue_units(host)
  for _, unit in pairs(host.loaded) do
    if unit.was_paid then
      unit.was_paid, unit.changed = false, true
      if unit.level > HIGHEST_LEVEL then
        rebase(unit)
      end
    end
  end
end

local function forfeit(purse)
  in_hand = in_hand + purse.pot
  give_to_lambda(purse.pot)
  purse.pot = 0
end

-- Units of an up-to-date host's domain come or go; those of a spent host are not paid. A pot that is nobody's goes to lambda.
local function change_units(host, change)
  if change == 0 or host.quota == quota.SPENT then
    return
  end
  local domain = domain_of(host)
  domain.units, domain.changed = domain.units + change, true
  if change > 0 and domain.units == change then
    count('domains', 1)
  elseif domain.units == 0 then
    forfeit(domain)
    count('domains', -1)
  end
end

-- Pages of a up-to-date host come. The off of each is what it brings, less the level.
local function join(unit, pages)
  if unit.members == 0 then
    unit.level = 0
  end
  local is_first, before = unit.members == 0, common_units(unit.host)
  unit.members, unit.changed = unit.members + pages, true
  if unit.number == 0 then
    change_units(unit.host, common_units(unit.host) - before)
  elseif is_first and unit.closed == 0 then
    change_units(unit.host, 1)
  end
end

-- A page of a up-to-date host goes, and its credit was taken.
local function leave(unit)
  local before = common_units(unit.host)
  unit.members, unit.changed = unit.members - 1, true
  if unit.members == 0 then
    forfeit(unit)
  end
  if unit.number == 0 then
    change_units(unit.host, common_units(unit.host) - before)
  elseif unit.members == 0 and unit.closed == 0 then
    change_units(unit.host, -1)
  end
end

-- What each of a number of new seeds gets: they share half of what lambda has.
local function seed_share(seeds)
  return seeds == 0 and 0 or math.floor(books.lambda / 2 / seeds)
end

-- What each of the distinct targets that wait or are new gets of a page's cash, beside those that have ended.
local function link_share(cash, waiting, ended)
  local part = waiting + ended * ENDED_PART
  return waiting == 0 and 0 or math.floor((cash - math.floor(cash / TAX_DIVISOR)) / part)
end

local function flush_credit()
  assert(in_hand == 0 and books.lambda >= 0, 'credit was made or lost')
  flush_domains()
end
