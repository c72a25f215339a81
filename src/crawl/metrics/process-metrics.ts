/** Figures of every process of a crawl: its use of the machine, and the latency of Redis. */
import type { Metric } from '../../core/metrics/exposition.ts';
import type { Capacity } from '../capacity/capacity.ts';

export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
});

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** Reckoned once: monitoring takes a time that differs by a millisecond for another process. */
const STARTED_AT = Date.now() / 1000 - process.uptime();

/** @param stalls of the main loop; @param latency seconds that one question to Redis took */
export function processMetrics(stalls: number, latency: number): readonly Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    counter(
      'process_cpu_seconds_total',
      'Processor time of this process; its browsers have their own.',
      (user + system) / 1e6,
    ),
    gauge(
      'process_resident_memory_bytes',
      'Memory of this process; its browsers have their own.',
      process.memoryUsage.rss(),
    ),
    gauge('process_start_time_seconds', 'When this process began.', STARTED_AT),
    counter(
      'orbweaver_main_loop_stalls_total',
      'Times in which the main loop did nothing else for a second or more.',
      stalls,
    ),
    gauge('orbweaver_redis_latency_seconds', 'Time that one question to Redis took just now.', latency),
  ];
}

/** The machine's grant to a process, and the visits that it makes at a time with that. */
export function capacityMetrics({
  slots,
  pages,
  grant,
}: Pick<Capacity, 'slots' | 'pages' | 'grant'>): readonly Metric[] {
  const { used, limit } = grant.memory();
  return [
    gauge('orbweaver_slots', 'Visits that this process makes at a time, by what its machine has to spare.', slots),
    gauge('orbweaver_browser_pages', 'Pages of its browser that may be at work at a time.', pages),
    gauge('orbweaver_granted_cores', 'Cores that this process is granted, by control groups, too.', grant.cores),
    gauge('orbweaver_granted_memory_bytes', 'Memory of its control group, or of the machine.', limit),
    gauge('orbweaver_used_memory_bytes', 'How much of that is in use.', used),
  ];
}
