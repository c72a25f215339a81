-- The policy of credit (Abiteboul, Preda, Cobena 2003). All credit of a crawl is 2^52, whole numbers; what a page gives
-- goes to its links and to the lambda page, and nothing is made or lost. Needs store.
-- At first all is lambda's. Seeds share half of it at their admission.

-- Part of a page's cash that goes to lambda untouched: 1 / TAX_DIVISOR (10 %; stops chains, algorithms A1.5).
local TAX_DIVISOR = 10

local function to_lambda(credit)
  count('lambda', credit)
end

local function lambda()
  return tonumber(redis.call('HGET', keys.meta, 'lambda'))
end

-- What each of a number of new seeds gets.
local function seed_share(seeds)
  if seeds == 0 then
    return 0
  end
  return math.floor(lambda() / 2 / seeds)
end

-- What each of a number of distinct targets gets of a page's cash.
local function link_share(cash, targets)
  if targets == 0 then
    return 0
  end
  return math.floor((cash - math.floor(cash / TAX_DIVISOR)) / targets)
end
