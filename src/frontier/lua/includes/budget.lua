-- Budgets of URL patterns (algorithms A6): one that brings pages that are new gets more, one that brings the same again and again is
-- closed. What it has queued is held then: it is not leased, not paid, and in the end skipped. Needs store, page, unit, host, credit, pattern.

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

  local function apply_budget(host, unit)
    local over_budget = unit.judged > 0 and unit.fetched >= unit.budget and 1 or 0
    if over_budget == unit.over_budget then
      return
    end
    if unit.members > 0 then
      change_units(host, over_budget == 1 and -1 or 1)
    end
    if over_budget == 1 then
      forfeit(unit)
      redis.call('HSET', key('over-budget'), unit.number .. ' ' .. host.name, 1)
    else
      redis.call('HDEL', key('over-budget'), unit.number .. ' ' .. host.name)
    end
    unit.over_budget, unit.changed = over_budget, true
  end

  -- A page of a up-to-date host was fetched; `novelty` is new, known, or '' where it says nothing. Has it named URLs that were new?
  function judge(host, unit, in_common, novelty, has_bred)
    if not in_common then
      unit.fetched = unit.fetched + 1
    end
    if novelty ~= '' then
      unit.looked = unit.looked + 1
      unit.brought = unit.brought + (novelty == 'new' and 1 or 0)
      unit.bred = unit.bred + (has_bred and 1 or 0)
    end
    if unit.looked == WINDOW then
      local is_good = unit.brought >= MANY_NEW or unit.bred < MANY_BRED
      if is_good and unit.fetched >= unit.budget / 2 then
        unit.budget = unit.budget * 2
      elseif not is_good and unit.brought <= FEW_NEW then
        unit.budget = math.max(LEAST_BUDGET, math.floor(unit.budget / 2))
      end
      unit.judged = unit.brought + 1
      unit.looked, unit.brought, unit.bred = 0, 0, 0
    end
    unit.changed = true
    apply_budget(host, unit)
  end
end
