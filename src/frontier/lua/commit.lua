-- Commits a finished visit: its disposition, its credit, its links, the host's next visit, the journal. All or nothing.
-- `disposition` is visited | failed | skipped | retry. Reply: {'fenced'} | {'committed', number of new URLs}.
-- Cost: O(links); the caller bounds their number.

local lease = take_back(args.token)
if not lease then
  return { 'fenced' }
end
advance_clock(args.now)
count('commits', 1)

local host, unit = lease.host, lease.unit
host.delay = learn_delay(host, tonumber(args.hostDelay), args.serverTime)
host.slots = tonumber(args.hostSlots)
local rest = args.hostBackoff == '' and recover(host)
  or rest_after_failure(host, lease.leased_at, tonumber(args.hostBackoff), args.hostBackoffMost)
postpone(host, books.clock + math.max(rest, host.delay))

-- The page goes, and what it had is in hand.
accrue_host(host)
local page, shard = page_at(unit, lease.path)
local paid = 0
if args.disposition == 'retry' then
  wait_until(lease, args.retryDue)
else
  drop(unit, shard, lease.path)
  remember(args.fingerprint)
  use_source(page.source, -1)
  if not is_speculative(page) then
    paid = page.off + unit.level
    in_hand = in_hand + paid
    leave(unit)
  end
  count('history', paid)
  count(args.disposition, 1)
  local domain = domain_of(host)
  domain.fetched, domain.changed = domain.fetched + 1, true
  cap(host)
  if args.counts == 'yes' then
    host.pages = host.pages + 1
  end
end

-- A speculative link gives its place back before its links are looked at, for the target of its redirect may take it.
local moved = false
if args.disposition ~= 'retry' and is_speculative(page) then
  host.spec_pending = host.spec_pending - 1
  moved = args.answer == 'redirected'
  if args.disposition == 'failed' then
    prove(host, false)
  elseif args.disposition == 'visited' and not moved then
    prove(host, is_first_answer(host, args.answer))
  end
end

-- Each distinct target that waits gets the same share; what is for those that have ended, the page itself included, goes to lambda.
local groups = read_groups()
find(groups)
local candidates = of_class(groups, 'c')
local waiting, ended = reopen(candidates)
local share = args.disposition == 'visited' and link_share(paid, waiting, ended) or 0
for _, group in ipairs(candidates) do
  admit(group, share)
end
give_to_lambda(in_hand)

local lines = { args.skipped ~= '' and args.skipped or nil }
for _, group in ipairs(of_class(groups, 's')) do
  skip(group, lines)
end
for _, group in ipairs(of_class(groups, 'g')) do
  admit_speculative(group)
  moved = moved and not group[1].new
end
if moved then
  prove(host, false)
end
take_up_speculative()
for _, url in ipairs(cjson.decode(args.newSeeds)) do
  add_seed(url)
end

local flags, new = {}, 0
for _, group in ipairs(groups) do
  for _, link in ipairs(group) do
    flags[#flags + 1] = link.new and '1' or '0'
    new = new + (link.new and 1 or 0)
  end
end
if args.disposition ~= 'retry' and books.judging == 1 then
  local own = unit_of_pattern(host, patterns_of(host, { args.pattern })[1])
  if own ~= host then
    judge(host, own, unit == host, args.novelty, new > 0)
  end
end

if args.page ~= 'null' or args.links ~= '' or #lines > 0 then
  write_page(args.page, args.links, table.concat(flags), lines, paid)
end
flush_all()
return { 'committed', new }
