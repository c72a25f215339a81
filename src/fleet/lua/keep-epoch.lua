-- Records a heartbeat of the controller, or its end.
-- Arguments: epoch of the caller; offset, ms by which its clock is ahead of the server's; state, running or left.
-- Reply: 1, or 0 where the caller no longer leads; then nothing changes.

if redis.call('HGET', keys.controller, 'epoch') ~= args.epoch then
  return 0
end
redis.call('HSET', keys.controller, 'offset', args.offset, 'state', args.state)
redis.call('HINCRBY', keys.controller, 'beat', 1)
return 1
