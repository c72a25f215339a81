-- The limit of pages of a host. What counts was visited or has failed for good; redirects do not, for what they lead to is a page of its
-- own. A host that had its pages is spent: what it has queued is held, so it is not leased, not paid, and in the end skipped.
-- Needs store, unit, host, credit.

do
  -- Units of an up-to-date host that its domain pays.
  local function paid_units(host)
    load_all_units(host)
    local units = common_units(host)
    for number, unit in pairs(host.loaded) do
      if number > 0 and unit.members > 0 and unit.closed == 0 then
        units = units + 1
      end
    end
    return units
  end

  -- Whether a host has become spent, or is no more: it had a page, or the limit is another one. What was put into its queues is written
  -- before, for its units are paid here a last time. Says whether something changed.
  function quota.weigh(host)
    local is_spent = books.host_limit > 0 and host.pages >= books.host_limit
    if is_spent == (host.quota == quota.SPENT) then
      return false
    end
    accrue_host(host)
    local units = paid_units(host)
    if is_spent then
      change_units(host, -units)
    end
    host.quota = is_spent and quota.SPENT or 0
    if not is_spent then
      change_units(host, units)
    end
    return true
  end

  -- Whether a host may have another page. One that was listed before the limit became lower is taken from the lists when it is flushed.
  function quota.passes(host)
    host.changed = host.changed or quota.has_no_place(host)
    return not quota.has_no_place(host)
  end

  function quota.rule(host)
    return 'host limit: ' .. host.pages .. (host.pages == 1 and ' page' or ' pages') .. ' of the host had been visited'
  end
end
