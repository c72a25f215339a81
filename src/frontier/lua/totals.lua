-- Reply: {discovered, visited, failed, skipped, queued, leased, hosts}.

return {
  state.discovered,
  state.visited,
  state.failed,
  state.skipped,
  state.queued,
  state.leased,
  state.unfinished,
}
