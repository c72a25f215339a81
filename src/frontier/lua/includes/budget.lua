-- Budgets of URL patterns (design/duplicates-and-traps, "Pattern budgets"). The budget of a pattern with new pages grows; a pattern that
-- repeats itself goes over budget. Then its entries are neither leased nor paid, and in the end they are skipped.

-- Visits per window of judgement. Only visits that tell whether their page is new count, for the window and for the budget: redirects, failures
-- and files are no sign of a trap.
local WINDOW = 25
local MANY_NEW = 5
local FEW_NEW = 1
-- Fewest pages of a window that name new URLs in a growing space: an infinite space grows while it is visited. With fewer, the pattern is a
-- finite set of similar pages from a list.
local MANY_BRED = 12
local LEAST_BUDGET = 25

-- The rule shown for skipped entries of the pattern.
function budget.rule(queue)
  return 'pattern ' .. queue.pattern .. ': ' .. queue.fetched .. ' pages fetched, ' .. (queue.judged - 1)
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

-- Judges a pattern after a visit, on a host that has collected its credit. `in_common` says that the entry was in the common queue, `novelty` is
-- new, known, or '' where the visit cannot tell, `has_bred` says that the page named new URLs that may be followed.
function budget.judge(host, queue, in_common, novelty, has_bred)
  if novelty ~= '' then
    queue.fetched = queue.fetched + (in_common and 0 or 1)
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
