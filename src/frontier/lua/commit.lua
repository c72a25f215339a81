-- Commits a finished visit: its disposition, its credit, its links, the host's next visit, the journal. All or nothing.
-- Arguments:
--   now              epoch ms
--   token            of the lease
--   fingerprint      of the URL, a decimal number
--   disposition      visited, failed, skipped or retry
--   counts           yes where the page counts for limits; else ''
--   retryDue         epoch ms, not before this the URL is tried again; '' unless the disposition is retry
--   hostDelay        ms between two visits of the host
--   hostSlots        most concurrent visits of the host
--   hostBackoff      ms of pause for the host; '' where the visit does not blame it
--   hostBackoffMost  ms, upper limit of the doubled pause; '' where the host named the time itself
--   hostThrottled    yes where the host refused the visit for too many requests, as far as one can tell; else ''
--   failsAgain       yes where the URL has failed before and may be alone in that; else ''
--   serverTime       ms that the server took; '' where that is not known
--   novelty          of the page: new, known, or '' where the visit cannot tell
--   pattern          URL pattern of the URL
--   answer           of a speculative link: redirected, or the digest of the text; '' where there is none
--   page             record for pages.jsonl, or null
--   links            lines for links.jsonl, each preceded by a line feed, then the marked line for details.jsonl
--   skipped          line for skipped.jsonl, or ''
--   unasked          yes where the visit requested nothing from the host; else ''
--   newSeeds         JSON, targets of a seed's redirect
--   ended            number of links to distinct URLs that have ended for good; they are in no group
--   elsewhere        kind of URLs that the page made known in other parts of the crawl and that may be followed: speculative, if any was a
--                    speculative link, new, or ''
-- Rest: groups of URLs: for other parts (includes/exchange.lua), for links that only bring credit (includes/credit_links.lua), and for
-- all others (includes/admission.lua).
-- Reply: {'fenced'} | {'outdated'} where the sender's knowledge of a link that only brings credit is wrong: then nothing has changed
--   | {'committed', number of new URLs, standing of each candidate (admission.add_places)}. Cost: O(links); the caller bounds their number.

local others = exchange.read_groups()
local known_groups = credit_links.read_groups()
if not credit_links.find(known_groups) then
  return { 'outdated' }
end

local lease = leases.take_back(args.token)
if not lease then
  return { 'fenced' }
end
crawl.advance_clock(args.now)
crawl.count('commits', 1)

local host, queue = lease.host, lease.queue
if args.hostThrottled == 'yes' then
  health.slow_down(host, lease.leased_at)
end
host.delay = math.max(health.learn_delay(host, tonumber(args.hostDelay), args.serverTime), host.learned_delay)
host.slots = tonumber(args.hostSlots)
if args.unasked == 'yes' then
  -- The host is due as if it had not been leased (fold.lua), and has neither failed nor answered.
  gate.free_address(host, lease.leased_at, lease.egress)
  hosts.set_due(lease.pace)
else
  local rest
  if args.hostBackoff == '' then
    rest = health.recover(host)
  elseif args.failsAgain == 'yes' and health.is_well(host, args.hostBackoffMost) then
    rest = host.pause
  else
    rest = health.fail(host, lease.leased_at, tonumber(args.hostBackoff), args.hostBackoffMost)
  end
  -- A failed host pauses for all egress addresses; its delay only binds the address that visited it.
  if lease.pace ~= host and rest > 0 then
    hosts.postpone(host, crawl.state.clock + rest)
  end
  hosts.postpone(lease.pace, crawl.state.clock + math.max(rest, host.delay))
end

-- The entry leaves its queue, and its credit is in transit.
credit.collect(host)
local entry, shard = queues.entry_at(queue, lease.path)
local paid, is_first = 0, lease.again == 0
if args.disposition == 'retry' then
  leases.wait_until(lease, args.retryDue)
else
  queues.drop(queue, shard, lease.path)
  seen.add(args.fingerprint)
  sources.use(entry.source, -1)
  if entry.kind == entries.PROBE then
    credit.repay(entry.balance + queue.dividend_index)
    credit.leave(queue)
  elseif not entries.is_speculative(entry) then
    paid = entry.balance + queue.dividend_index
    credit.in_transit = credit.in_transit + paid
    credit.leave(queue)
  end
  crawl.count('history', paid)
  if not is_first then
    again.forget(lease.url)
  end
end
-- A second visit changes no count: its URL has been visited already.
if args.disposition ~= 'retry' and is_first then
  crawl.count(args.disposition, 1)
  local domain = domains.of(host)
  domain.fetched, domain.changed = domain.fetched + 1, true
  credit.cap(host)
  local counted = args.counts == 'yes' and 1 or 0
  host.pages = host.pages + counted
  crawl.count('counted', counted)
end

-- A speculative link frees its place before its links are processed, because the target of its redirect may take it.
local moved = false
if args.disposition ~= 'retry' and entries.is_speculative(entry) then
  host.spec_pending = host.spec_pending - 1
  moved = args.answer == 'redirected'
  if args.disposition == 'failed' then
    speculative.prove(host, false)
  elseif args.disposition == 'visited' and not moved then
    speculative.prove(host, speculative.is_first_answer(host, args.answer))
  end
end

-- Each distinct target that waits gets the same share. Shares of ended targets, including the page itself, go to lambda.
local groups = admission.read_groups()
lookup.find(groups)
local candidates = admission.of_class(groups, 'c')
local waiting, ended = admission.reopen(candidates)
local known_waiting, known_ended = credit_links.count(known_groups)
waiting, ended = waiting + known_waiting + exchange.count(others), ended + known_ended + tonumber(args.ended)
local share = args.disposition == 'visited' and credit.link_share(paid, waiting, ended) or 0
credit_links.pay(known_groups, share)
exchange.send_all(others, share)
for _, group in ipairs(candidates) do
  admission.admit(group, share)
end
credit.give_to_lambda(credit.in_transit)

local lines = { args.skipped ~= '' and args.skipped or nil }
for _, group in ipairs(admission.of_class(groups, 's')) do
  admission.skip(group, lines)
end
for _, group in ipairs(admission.of_class(groups, 'g')) do
  speculative.admit(group)
  moved = moved and not group[1].new
end
if moved and args.elsewhere ~= 'speculative' then
  speculative.prove(host, false)
end
for _, group in ipairs(admission.of_class(groups, 'f')) do
  folds.admit(group)
end
speculative.fill_places()
for _, url in ipairs(cjson.decode(args.newSeeds)) do
  admission.add_seed(url)
end

-- The index page of a folder at the root, such as an application, links to the folder's contents. These links do not count as growth of its pattern.
local own_folder = string.match(lease.path, '^/[^/?#]+/$')
local function is_in_own_folder(group, link)
  return own_folder and group.host == host.name and string.sub(link.path, 1, #own_folder) == own_folder
end

-- A space does not grow by links that are never followed, such as those for sharing a page; src/frontier/parts/links-elsewhere.ts has the same
-- rule. It does grow by those that this page or its depth holds back, and by those that look like a trap.
local NEVER_FOLLOWED = { ['out-of-scope'] = true, ['outside-so-far'] = true, ['unsupported-scheme'] = true, ['signs-out'] = true, ['acts'] = true }
local function is_bred(group, link)
  return link.new and group.class ~= 'f' and not NEVER_FOLLOWED[link.reason] and not is_in_own_folder(group, link)
end

local flags, new = admission.flags(groups)
local has_bred = args.elsewhere ~= ''
for _, group in ipairs(groups) do
  for _, link in ipairs(group) do
    has_bred = has_bred or is_bred(group, link)
  end
end
if args.disposition ~= 'retry' and is_first and entry.kind ~= entries.PROBE and crawl.state.judging == 1 then
  local own = patterns.queue_of(host, patterns.of(host, { args.pattern })[1])
  if own ~= host then
    budget.judge(host, own, queue == host, args.novelty, has_bred)
  end
end

if args.page ~= 'null' or args.links ~= '' or #lines > 0 then
  journal.add_visit(args.page, args.links, flags, lines, paid)
end
admission.flush()
return admission.add_places({ 'committed', new }, candidates)
