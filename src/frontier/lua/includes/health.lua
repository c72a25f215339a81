-- How a host is left alone between visits, and after failures: core/politeness/adaptive-delay.ts and host-health.ts, in the script that
-- knows all visits of a host. Needs store, host.

local learn_delay, rest_after_failure, recover, close_circuits
do
  local SERVER_TIME_FACTOR = 5
  local SERVER_TIME_WEIGHT = 0.3
  local ADAPTIVE_MOST = 60000
  local CIRCUIT_FAILURES = 5
  local OPEN_FOR = 6 * 3600 * 1000
  local LEAST_PAUSE = 1000

  -- The delay after a visit for which the server took so long (ms, or '' where that is not known).
  function learn_delay(host, host_delay, server_time)
    if server_time ~= '' then
      local sample, before = tonumber(server_time), host.server_time
      host.server_time = before == UNKNOWN and sample or before + SERVER_TIME_WEIGHT * (sample - before)
    end
    if host_delay == 0 or host.server_time == UNKNOWN then
      return host_delay
    end
    return math.ceil(math.max(host_delay, math.min(SERVER_TIME_FACTOR * host.server_time, ADAPTIVE_MOST)))
  end

  -- After a failure: for how long the host is left alone. `most` is '' where the host named the time itself. Visits that were out together
  -- when the host failed are one failure of it.
  function rest_after_failure(host, leased_at, wait, most)
    if leased_at < host.failed_at then
      return math.max(wait, most == '' and 0 or host.pause)
    end
    local grown = most == '' and wait or math.min(tonumber(most), wait * 2 ^ math.min(host.failures, 20))
    host.failures, host.failed_at = host.failures + 1, state.clock
    if most ~= '' then
      host.pause = grown
    end
    if host.failures < CIRCUIT_FAILURES then
      return grown
    end
    local rest = math.max(grown, OPEN_FOR)
    redis.call('ZADD', key('open-circuits'), whole(state.clock + rest), host.name)
    count('open_circuits', host.status == CIRCUIT_OPEN and 0 or 1)
    host.status = CIRCUIT_OPEN
    return rest
  end

  -- One success ends the row and halves the pause; it does not take it away.
  function recover(host)
    host.failures = 0
    host.pause = math.floor(host.pause / 2)
    if host.pause < LEAST_PAUSE then
      host.pause = 0
    end
    return host.pause
  end

  -- Hosts that were given up and have rested.
  function close_circuits()
    if state.open_circuits == 0 then
      return
    end
    for _, name in ipairs(redis.call('ZRANGEBYSCORE', key('open-circuits'), '-inf', whole(state.clock))) do
      redis.call('ZREM', key('open-circuits'), name)
      count('open_circuits', -1)
      local host = host_of(name)
      host.status, host.changed = 0, true
    end
  end
end
