/** The figures of a crawl, shown by its controller: those of all processes together. */
import type { Metric } from '../../core/metrics/exposition.ts';
import type { CrawlContext } from '../crawl-context.ts';
import { openMetricsServer } from './open-metrics-server.ts';
import { capacityMetrics, counter, gauge, processMetrics } from './process-metrics.ts';

/** Listens where the user wants figures, until the context is closed. @param visiting visits under way @throws {CrawlError} USAGE */
export async function serveCrawlMetrics(context: CrawlContext, visiting: () => number): Promise<void> {
  const { plan, disposal, fleet } = context;
  if (plan.options.metrics === undefined) return;
  // a supervisor that restarts the process while Redis is away ends a crawl that would go on
  const illness = (): string | null => (fleet?.isReplaced === true ? 'another process leads the crawl' : null);
  const metrics = (): Promise<readonly Metric[]> => crawlMetrics(context, visiting());
  disposal.use(await openMetricsServer(plan.options.metrics, { illness, metrics }));
}

async function crawlMetrics(context: CrawlContext, visiting: number): Promise<readonly Metric[]> {
  const { frontier, tally, clock, fleet } = context;
  const asked = clock.monotonic();
  const figures = await context.figures();
  const latency = (clock.monotonic() - asked) / 1000;
  const { discovered, visited, failed, skipped, queued, leased, hosts, ...again } = await frontier.totals();
  const { queuedAgain, leasedAgain } = again;
  const counts = (all: ReadonlyMap<string, number>, label: string): Metric['samples'] =>
    [...all].map(([name, value]) => ({ labels: { [label]: name }, value }));
  const states = { visited, failed, skipped, queued, leased };
  return [
    {
      name: 'orbweaver_visits_total',
      help: 'Visits in the crawl folder, by how they ended.',
      type: 'counter',
      samples: counts(tally.outcomes, 'outcome'),
    },
    {
      name: 'orbweaver_skipped_urls_total',
      help: 'URLs in the crawl folder that were not visited, by the reason.',
      type: 'counter',
      samples: counts(tally.skipped, 'reason'),
    },
    counter('orbweaver_discovered_urls_total', 'URLs that were ever known.', discovered),
    {
      name: 'orbweaver_urls',
      help: 'URLs by their state now.',
      type: 'gauge',
      samples: Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
    },
    gauge('orbweaver_hosts', 'Hosts that have something to visit.', hosts),
    gauge('orbweaver_due_hosts', 'Hosts of which a visit may begin now.', figures.dueHosts),
    gauge(
      'orbweaver_waiting_hosts',
      'Hosts that are not due yet, and pages that wait for another try.',
      figures.waiting,
    ),
    gauge('orbweaver_awaiting_dns_hosts', 'Hosts whose names are not resolved.', figures.awaitingDns),
    gauge(
      'orbweaver_open_circuits',
      'Hosts that failed so often that they are left alone for hours.',
      figures.openCircuits,
    ),
    gauge('orbweaver_leases', 'Leases that are out.', leased + leasedAgain),
    gauge('orbweaver_second_visits', 'Visited pages that are to be visited again.', queuedAgain + leasedAgain),
    gauge('orbweaver_visits_under_way', 'Visits that were handed out and have not ended.', visiting),
    gauge('orbweaver_journal_entries', 'Visits that are committed and not in the crawl folder yet.', figures.journal),
    ...capacityMetrics(context.capacity),
    gauge('orbweaver_workers', 'Workers that are alive.', fleet?.size ?? 0),
    ...processMetrics(context.watch.stalls, latency),
  ];
}
