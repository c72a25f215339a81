-- Time of day of the server that holds the crawl: in a cluster each server has its own.
-- Reply: {seconds, microseconds}.

return redis.call('TIME')
