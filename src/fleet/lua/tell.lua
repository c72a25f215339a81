-- Adds to a list or a hash of a crawl that is there. One that has finished takes nothing any more: what a late worker says would stay for ever.
-- Arguments: text; worker, the field of a worker, '' where the text is news.
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
