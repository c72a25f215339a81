-- The page limit of a host (design/scheduling, "Host limit"). Pages visited or failed for good count. Redirects do not, because
-- their target is a page of its own. The queued entries of a host that has used up its limit are withheld: neither leased nor
-- paid. A higher limit frees them; at the end of the crawl they are skipped.

-- Values of a host's `limit_state`.
host_limit.FREE = 0
host_limit.TAKEN = 1
host_limit.USED_UP = 2

local FREE, TAKEN, USED_UP = host_limit.FREE, host_limit.TAKEN, host_limit.USED_UP

-- Do the pages visited, leased and waiting for another try reach the limit?
local function is_full(host)
  local limit = crawl.state.host_limit
  return limit > 0 and host.pages + host.leased + host.waiting >= limit
end

-- Updates `limit_state`. If the host has just used up its limit, or no longer has, its shares change. It collects dividends before that, so the
-- caller must have written its queues. Returns whether they must be written again.
function host_limit.apply(host)
  local limit = crawl.state.host_limit
  local is_used_up, was_used_up = limit > 0 and host.pages >= limit, host.limit_state == USED_UP
  local has_changed = is_used_up ~= was_used_up
  if has_changed then
    credit.collect(host)
    local shares = credit.shares_of(host)
    if is_used_up then
      credit.change_shares(host, -shares)
    end
    host.limit_state = is_used_up and USED_UP or FREE
    if not is_used_up then
      credit.change_shares(host, shares)
    end
  end
  if not is_used_up then
    host.limit_state = is_full(host) and TAKEN or FREE
  end
  return has_changed
end

-- May a host have another page? A lower limit does not update hosts that are listed already: such a host leaves the lists with the next
-- flush.
function host_limit.passes(host)
  local passes = not is_full(host)
  host.changed = host.changed or not passes
  return passes
end

-- Number of a host's entries withheld by the limit: first visits, and second ones. Those leased or waiting for another try keep their places.
function host_limit.withheld(host)
  if host.limit_state ~= USED_UP then
    return 0, 0
  end
  return host.queued - host.again, host.again
end

-- The host's score in the list `used-up`; nil where it is not in the list.
function host_limit.score(host)
  local withheld = host_limit.withheld(host)
  return withheld > 0 and host.pages or nil
end

-- The rule shown for skipped entries of the host.
function host_limit.rule(host)
  return 'host limit: ' .. host.pages .. (host.pages == 1 and ' page' or ' pages') .. ' of the host had been visited'
end
