-- The delay of a host after each visit, which adapts to its server, and its pause after failures. The pause grows with every failure in a
-- row, is hours long after five of them, and does not end at once when the host answers again. The delay at which a host refused a visit is
-- remembered, and returned to slowly (design/scheduling, "Host health").

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
-- First delay learned from a refusal, and upper limit (ms): a host of which some pages always answer 503 must not slow the crawl without end.
local FIRST_LEARNED = 250
local MOST_LEARNED = 2000
-- Share of the learned delay that is left after each visit that went well: half of it after 90.
local LEFT = 127 / 128
-- Time (ms) from when a host is due in which other URLs come before those that failed.
local OTHERS_FIRST = 10 * 1000
-- A learned delay shorter than this (ms) is forgotten.
local LEAST_LEARNED = 100

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

-- Learns from a refusal for too many requests: visits begin half as often as before it. To be called before the failure is counted. It says
-- nothing about the delay where that was not in force: in a row of failures, in the pause after it, and at a visit begun before what was learned.
function health.slow_down(host, leased_at)
  if leased_at >= host.failed_at and host.failures == 0 and host.pause == 0 then
    host.learned_delay = math.min(math.max(FIRST_LEARNED, 2 * host.delay), MOST_LEARNED)
  end
end

-- Has the host answered since its last failure, though it goes on at a pause? No where it names the time itself: that holds for all of it.
function health.is_well(host, most)
  return most ~= '' and host.failures == 0
end

-- Time up to which URLs that failed wait for another URL of the host to be visited first, after a failure of the host; nil where they need not. That
-- visit shows whether the host fails, or only the URL. The time ends also if none is visited, as at a host that has reached its limit.
function health.held_until(host)
  if host.failures == 0 or host.queued == 0 or host.status ~= hosts.AVAILABLE then
    return nil
  end
  local time = host.due + OTHERS_FIRST
  return time > crawl.state.clock and time or nil
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

-- Counts a success: it ends the row of failures and halves the pause. Without a pause, it also shortens the learned delay a little, which so comes
-- near the refused one again, but slowly. Returns the rest of the pause (ms).
function health.recover(host)
  host.failures = 0
  if host.pause == 0 and host.learned_delay > 0 then
    local left = math.floor(host.learned_delay * LEFT)
    host.learned_delay = left < LEAST_LEARNED and 0 or left
  end
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
