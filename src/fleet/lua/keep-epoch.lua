-- Records a heartbeat of the controller, or its end.
-- Arguments: epoch of the caller; offset, ms by which its clock is ahead of the server's; state, running or left.
-- Reply: 1; 0 where another process leads; 2 where the server has forgotten the caller's lead. Only with 1 something changes.

local last = redis.call('HGET', keys.controller, 'epoch')
if not last or tonumber(last) < tonumber(args.epoch) then
  return 2
elseif last ~= args.epoch then
  return 0
end
redis.call('HSET', keys.controller, 'offset', args.offset, 'state', args.state)
redis.call('HINCRBY', keys.controller, 'beat', 1)
return 1
