-- Reply: {discovered, visited, failed, skipped, queued, leased, hosts}.

return {
  books.discovered,
  books.visited,
  books.failed,
  books.skipped,
  books.queued,
  books.leased,
  books.unfinished,
}
