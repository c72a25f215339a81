-- Budgets of URL patterns (algorithms A6): one that brings pages that are new gets more, one that brings the same again and again is
-- closed. What it has queued is held then: it is not leased, not paid, and in the end skipped. Needs store, entry, queue, host, credit, pattern.

local judge
do
  -- So many pages that say something are judged together.
  local WINDOW = 25
  local MANY_NEW = 5
  local FEW_NEW = 1
  -- A space without an end grows while it is visited: where fewer pages than these name URLs that nobody named before, the pattern
  -- is a set of like pages that some list names, and will be done.
  local MANY_BRED = 12
  local LEAST_BUDGET = 25

  local function apply_budget(host, queue)
    local over_budget = queue.judged > 0 and queue.fetched >= queue.budget and 1 or 0
    if over_budget == queue.over_budget then
      return
    end
    if queue.members > 0 then
      change_shares(host, over_budget == 1 and -1 or 1)
    end
    if over_budget == 1 then
      forfeit(queue)
      redis.call('HSET', key('over-budget'), queue.number .. ' ' .. host.name, 1)
    else
      redis.call('HDEL', key('over-budget'), queue.number .. ' ' .. host.name)
    end
    queue.over_budget, queue.changed = over_budget, true
  end

  -- A page of a up-to-date host was fetched; `novelty` is new, known, or '' where it says nothing. Has it named URLs that were new?
  function judge(host, queue, in_common, novelty, has_bred)
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
    apply_budget(host, queue)
  end
end
