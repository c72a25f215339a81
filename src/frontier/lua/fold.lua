-- Ends a lease without a visit: its URL differs from a visited page only in parameters that change nothing. The host is due as if it had not
-- been leased.
-- Arguments:
--   now          epoch ms
--   token        of the lease
--   fingerprint  of the URL, a decimal number
--   pattern      URL pattern of the URL
--   fold         id of the fold (includes/folds.lua)
--   record       line for skipped.jsonl
-- Reply: 1, or 0 where the fold proved wrong or the lease is not out.

if folds.is_undone(args.fold) then
  return 0
end
local lease = leases.take_back(args.token)
if not lease then
  return 0
end
crawl.advance_clock(args.now)
local host, queue = lease.host, lease.queue
credit.collect(host)
local entry, shard = queues.entry_at(queue, lease.path)
local referrer = sources.url_of(entry.source)
queues.drop(queue, shard, lease.path)
sources.use(entry.source, -1)
credit.in_transit = credit.in_transit + entry.balance + queue.dividend_index
credit.leave(queue)
credit.give_to_lambda(credit.in_transit)
local link = { fingerprint = args.fingerprint, record = args.record, pattern = { text = args.pattern } }
folds.keep(args.fold, lease.url, link, { depth = entry.depth, redirects = entry.redirects, hops = entry.hops, kind = entry.kind,
  referrer = referrer })
gate.free_address(host, lease.leased_at, lease.egress)
hosts.set_due(lease.pace)
admission.flush()
return 1
