-- The leader of the crawl is the process with the last epoch. A silent leader that was replaced is refused the leader's scripts before
-- they change anything (design/scale, "Epochs"). So is one whose crawl Redis has forgotten: they would begin another one.

-- '' is the epoch of a crawl with a server of its own: no other process can lead it.
function leader.check(epoch)
  if epoch == '' then
    return
  end
  local last = redis.call('HGET', keys.meta, 'leader')
  if not last then
    leader.forgotten()
  end
  if last ~= epoch then
    error({ err = 'EPOCH ' .. epoch .. ' of ' .. last })
  end
end

-- Refuses a script for want of the crawl's state (redis/forgotten-crawl.ts).
function leader.forgotten()
  error({ err = 'FORGOTTEN ' .. keys.meta })
end
