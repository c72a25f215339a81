-- Reads the counters that users see.
-- Arguments: none.
-- Reply: {discovered, visited, failed, skipped, queued, leased, hosts, withheld by the host limit, counted for the page limit}.

local state = crawl.state
return {
  state.discovered,
  state.visited,
  state.failed,
  state.skipped,
  state.queued,
  state.leased,
  state.unfinished,
  state.withheld,
  state.counted,
}
