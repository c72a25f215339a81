/** The figures of a worker: its own visits. Those of its crawl are the controller's. */
import { systemClock } from '../../base/clock.ts';
import type { Metric } from '../../core/metrics/exposition.ts';
import { counter, gauge, processMetrics } from './process-metrics.ts';

/** The work for one crawl. */
interface WorkFigures {
  readonly made: number;
  readonly underWay: number;
  readonly stalls: number;
}

interface WorkerFigures {
  /** One for each crawl that the worker works for. */
  readonly sessions: Iterable<WorkFigures>;
  /** Visits for crawls that it has left. */
  readonly madeBefore: number;
  /** Stalls while it worked for them. */
  readonly stallsBefore: number;
  readonly slots: number;
}

/** @param ping asks Redis something; @throws what it throws */
export async function workerMetrics(
  { sessions, madeBefore, stallsBefore, slots }: WorkerFigures,
  ping: () => Promise<unknown>,
): Promise<readonly Metric[]> {
  const asked = systemClock.monotonic();
  await ping();
  const latency = (systemClock.monotonic() - asked) / 1000;
  const all = [...sessions];
  const sum = (of: (figures: WorkFigures) => number): number => all.reduce((total, each) => total + of(each), 0);
  return [
    counter('orbweaver_worker_visits_total', 'Visits that this worker has made.', madeBefore + sum(({ made }) => made)),
    gauge(
      'orbweaver_worker_visits_under_way',
      'Visits that this worker makes now.',
      sum(({ underWay }) => underWay),
    ),
    gauge('orbweaver_worker_slots', 'Visits that this worker makes at a time.', slots),
    gauge('orbweaver_worker_crawls', 'Crawls that this worker works for.', all.length),
    ...processMetrics(stallsBefore + sum(({ stalls }) => stalls), latency),
  ];
}
