-- Reads the highest time that the crawl has seen: it never goes back before it.
-- Arguments: none.
-- Reply: epoch ms.

return store.whole(crawl.state.clock)
