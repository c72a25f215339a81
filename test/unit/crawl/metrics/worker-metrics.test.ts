import { expect, it } from 'vitest';
import type { Metric } from '../../../../src/core/metrics/exposition.ts';
import { workerMetrics } from '../../../../src/crawl/metrics/worker-metrics.ts';

const valueOf = (all: readonly Metric[], name: string): number | undefined =>
  all.find((metric) => metric.name === name)?.samples[0]?.value;
const nothing = async (): Promise<void> => {};

it('counters of a worker go on when it leaves a crawl', async () => {
  const session = { made: 12, underWay: 1, stalls: 3 };
  const during = { sessions: [session], madeBefore: 5, stallsBefore: 2, slots: 4 };
  const afterwards = { sessions: [], madeBefore: 17, stallsBefore: 5, slots: 0 };
  for (const figures of [during, afterwards]) {
    const all = await workerMetrics(figures, nothing);
    expect(valueOf(all, 'orbweaver_worker_visits_total')).toBe(17);
    expect(valueOf(all, 'orbweaver_main_loop_stalls_total')).toBe(5);
  }
});

it('the start of a process does not change from one answer to the next', async () => {
  const figures = { sessions: [], madeBefore: 0, stallsBefore: 0, slots: 0 };
  const starts = new Set<number | undefined>();
  for (let answer = 0; answer < 5; answer += 1) {
    await new Promise((settle) => setTimeout(settle, 3));
    starts.add(valueOf(await workerMetrics(figures, nothing), 'process_start_time_seconds'));
  }
  expect(starts.size).toBe(1);
  const [start = Number.NaN] = starts;
  expect(Math.abs(Date.now() / 1000 - process.uptime() - start)).toBeLessThan(5);
});
