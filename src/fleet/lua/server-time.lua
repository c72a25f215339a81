-- The time of day of the server that has the crawl: in a cluster each has its own.
-- Reply: {seconds, microseconds}.

return redis.call('TIME')
