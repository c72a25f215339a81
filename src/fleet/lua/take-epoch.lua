-- Makes the caller the controller of a crawl if there is none, if the last one has left, or if the last one's heartbeat is still as the caller has
-- seen it, for so long that it must be dead.
-- Arguments: epoch and beat as last seen by the caller, '' where it has not waited; owner, a name for people.
-- Reply: {1, the new epoch} | {0, epoch, beat and owner of the leader}.

local epoch, beat, state, owner = unpack(redis.call('HMGET', keys.controller, 'epoch', 'beat', 'state', 'owner'))
if epoch and state ~= 'left' and (epoch ~= args.epoch or beat ~= args.beat) then
  return { 0, tonumber(epoch), tonumber(beat), owner }
end
local next_epoch = tonumber(epoch or 0) + 1
redis.call('HSET', keys.controller, 'epoch', next_epoch, 'beat', 0, 'state', 'running', 'owner', args.owner)
redis.call('HSETNX', keys.controller, 'offset', 0)
return { 1, next_epoch }
