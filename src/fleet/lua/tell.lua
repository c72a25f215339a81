-- Adds to a list or a hash of an existing crawl. A finished crawl accepts nothing: a late worker's entry would stay forever.
-- Arguments: text; worker, the hash field of a worker, '' where the text is news.
-- Reply: 1, or 0 where the crawl is gone.

if redis.call('EXISTS', keys.controller) == 0 then
  return 0
end
if args.worker == '' then
  redis.call('RPUSH', keys.target, args.text)
else
  redis.call('HSET', keys.target, args.worker, args.text)
end
return 1
