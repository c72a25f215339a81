-- The leader of the crawl is the process with the last epoch. A silent leader that was replaced is refused the leader's scripts before
-- they change anything (design/scale, "Epochs").

-- '' is the epoch of a crawl with a server of its own: no other process can lead it.
function leader.check(epoch)
  local last = epoch ~= '' and redis.call('HGET', keys.meta, 'leader')
  if last and last ~= epoch then
    error({ err = 'EPOCH ' .. epoch .. ' of ' .. last })
  end
end
