-- Reads the counters shown to users. A URL that waits for a second visit counts only as visited.
-- Arguments: none.
-- Reply: {discovered, visited, failed, skipped, queued, leased, hosts, withheld by the host limit, counted for the page limit, second
-- visits queued and not withheld, second visits leased, credit that all visits have paid}.

if redis.call('EXISTS', keys.meta) == 0 then
  leader.forgotten()
end
local state = crawl.state
return {
  state.discovered,
  state.visited,
  state.failed,
  state.skipped,
  state.queued - state.queued_again,
  state.leased - state.leased_again,
  state.unfinished,
  state.withheld,
  state.counted,
  state.queued_again - state.withheld_again,
  state.leased_again,
  store.whole(state.history),
}
