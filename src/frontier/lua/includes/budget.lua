-- Budgets of URL patterns (design/duplicates-and-traps, "Pattern budgets"). A pattern whose pages are new gets a greater budget; one whose pages
-- say the same again and again gets over budget. Then its entries are neither leased nor paid, and in the end they are skipped.

-- Visits that say whether their page is new are judged in windows of so many.
local WINDOW = 25
local MANY_NEW = 5
local FEW_NEW = 1
-- An infinite space grows while it is visited. Where fewer pages than these name new URLs, the pattern is a set of like pages that a list
-- names, and has an end.
local MANY_BRED = 12
local LEAST_BUDGET = 25

-- The rule of a skipped entry of the pattern, in words.
function budget.rule(queue)
  return 'pattern ' .. queue.pattern .. ': ' .. queue.fetched .. ' fetched, ' .. (queue.judged - 1)
    .. ' of the last ' .. WINDOW .. ' new (pattern budget)'
end

local function apply(host, queue)
  local over_budget = queue.judged > 0 and queue.fetched >= queue.budget and 1 or 0
  if over_budget == queue.over_budget then
    return
  end
  if queue.members > 0 then
    credit.change_shares(host, over_budget == 1 and -1 or 1)
  end
  if over_budget == 1 then
    credit.forfeit(queue)
    redis.call('HSET', store.key('over-budget'), queue.number .. ' ' .. host.name, 1)
  else
    redis.call('HDEL', store.key('over-budget'), queue.number .. ' ' .. host.name)
  end
  queue.over_budget, queue.changed = over_budget, true
end

-- Judges a pattern after a visit of it, on a host that has collected. `in_common` says that the entry stood in the common queue, `novelty` is
-- new, known, or '' where the visit says nothing, `has_bred` says that the page named new URLs.
function budget.judge(host, queue, in_common, novelty, has_bred)
  if not in_common then
    queue.fetched = queue.fetched + 1
  end
  if novelty ~= '' then
    queue.looked = queue.looked + 1
    queue.brought = queue.brought + (novelty == 'new' and 1 or 0)
    queue.bred = queue.bred + (has_bred and 1 or 0)
  end
  if queue.looked == WINDOW then
    local is_good = queue.brought >= MANY_NEW or queue.bred < MANY_BRED
    if is_good and queue.fetched >= queue.budget / 2 then
      queue.budget = queue.budget * 2
    elseif not is_good and queue.brought <= FEW_NEW then
      queue.budget = math.max(LEAST_BUDGET, math.floor(queue.budget / 2))
    end
    queue.judged = queue.brought + 1
    queue.looked, queue.brought, queue.bred = 0, 0, 0
  end
  queue.changed = true
  apply(host, queue)
end
