-- The delay of a host after each visit, which adapts to its server, and its pause after failures. The pause grows with every failure in a
-- row, is hours long after five of them, and does not end at once when the host answers again (design/scheduling, "Host health").

-- Delay as a multiple of the server's response time (Heritrix' delayFactor; Mercator: 10 times).
local SERVER_TIME_FACTOR = 5
-- Weight of the last visit in the moving mean: four visits make three quarters of it.
local SERVER_TIME_WEIGHT = 0.3
-- Upper limit of the delay that a slow server causes (ms).
local ADAPTIVE_MOST = 60000
-- Consecutive failures that open the circuit.
local CIRCUIT_FAILURES = 5
-- Time that a circuit stays open (ms); longer if the host asked for more.
local OPEN_FOR = 6 * 3600 * 1000
-- A pause shorter than this (ms) counts as over.
local LEAST_PAUSE = 1000

-- Adds the server time of a visit (ms, '' where it is not known) to the mean. Returns the delay from the end of this visit to the next. A host
-- delay of 0 stays 0.
function health.learn_delay(host, host_delay, server_time)
  if server_time ~= '' then
    local sample, before = tonumber(server_time), host.server_time
    host.server_time = before == hosts.UNKNOWN and sample or before + SERVER_TIME_WEIGHT * (sample - before)
  end
  if host_delay == 0 or host.server_time == hosts.UNKNOWN then
    return host_delay
  end
  return math.ceil(math.max(host_delay, math.min(SERVER_TIME_FACTOR * host.server_time, ADAPTIVE_MOST)))
end

-- Counts a failure of the host. Returns its pause (ms). The pause doubles with every further failure in a row, up to `most`;
-- `most` is '' where the host named the time itself, which says nothing about later failures. Failures of visits that were under way together
-- count as one.
function health.fail(host, leased_at, wait, most)
  if leased_at < host.failed_at then
    return math.max(wait, most == '' and 0 or host.pause)
  end
  local grown = most == '' and wait or math.min(tonumber(most), wait * 2 ^ math.min(host.failures, 20))
  host.failures, host.failed_at = host.failures + 1, crawl.state.clock
  if most ~= '' then
    host.pause = grown
  end
  if host.failures < CIRCUIT_FAILURES then
    return grown
  end
  local rest = math.max(grown, OPEN_FOR)
  redis.call('ZADD', store.key('open-circuits'), store.whole(crawl.state.clock + rest), host.name)
  crawl.count('open_circuits', host.status == hosts.CIRCUIT_OPEN and 0 or 1)
  host.status = hosts.CIRCUIT_OPEN
  return rest
end

-- Counts a success: it ends the row of failures and halves the pause. Returns the rest of the pause (ms).
function health.recover(host)
  host.failures = 0
  host.pause = math.floor(host.pause / 2)
  if host.pause < LEAST_PAUSE then
    host.pause = 0
  end
  return host.pause
end

-- Closes the circuits whose time is over.
function health.close_circuits()
  if crawl.state.open_circuits == 0 then
    return
  end
  local name = store.key('open-circuits')
  for _, host_name in ipairs(redis.call('ZRANGEBYSCORE', name, '-inf', store.whole(crawl.state.clock))) do
    redis.call('ZREM', name, host_name)
    crawl.count('open_circuits', -1)
    local host = hosts.of(host_name)
    host.status, host.changed = hosts.AVAILABLE, true
  end
end
