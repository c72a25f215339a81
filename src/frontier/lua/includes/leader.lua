-- Who leads the crawl: the process of the last epoch. What only that one may do is refused to one that was silent and has been replaced, before
-- anything has changed (design/scale, "Epochs").

-- '' is the epoch of a crawl that has its server for itself: nobody else can lead it.
function leader.check(epoch)
  local last = epoch ~= '' and redis.call('HGET', keys.meta, 'leader')
  if last and last ~= epoch then
    error({ err = 'EPOCH ' .. epoch .. ' of ' .. last })
  end
end
