import { describe, expect, it } from 'vitest';
import { silentLog, type Log } from '../../../src/base/log.ts';
import { minutes, seconds } from '../../../src/base/units.ts';
import { createHostWaits } from '../../../src/crawl/summary/host-waits.ts';
import { handClock } from '../../support/hand-clock.ts';
import { answerOf, visitOf } from '../../support/page.ts';

const throttled = (wait: number | null) =>
  ({ kind: 'throttled', answer: answerOf(503), retryAfter: wait === null ? null : seconds(wait) }) as const;

describe('hosts that asked to wait', () => {
  it('are told with their time and reason until it has passed, the longest first', async () => {
    const clock = handClock();
    const waits = createHostWaits(clock, silentLog, minutes(5));
    waits.note({ visit: visitOf('https://a.example/1'), outcome: throttled(60) }, null);
    waits.note({ visit: visitOf('https://a.example/2'), outcome: throttled(30) }, null);
    waits.note({ visit: visitOf('https://b.example/'), outcome: throttled(1e9) }, null);
    waits.note({ visit: visitOf('https://c.example/'), outcome: throttled(null) }, null);
    const robots = { kind: 'unreachable', failure: 'robots', detail: 'x', retryAfter: seconds(40) } as const;
    waits.note({ visit: visitOf('https://d.example/'), outcome: robots }, null);
    expect(waits.current()).toEqual([
      { host: 'https://b.example', until: 300_000, left: 300_000, why: 'Retry-After, 503' },
      { host: 'https://a.example', until: 60_000, left: 60_000, why: 'Retry-After, 503' },
      { host: 'https://d.example', until: 40_000, left: 40_000, why: 'Retry-After of robots.txt' },
    ]);
    await clock.run(minutes(1));
    expect(waits.current().map(({ host, left }) => [host, left])).toEqual([['https://b.example', 240_000]]);
  });

  it('are told, too, where they name no time: for the pause that they get', () => {
    const waits = createHostWaits(handClock(), silentLog, minutes(5));
    const visit = visitOf('https://a.example/1');
    waits.note({ visit, outcome: throttled(null) }, seconds(27));
    // a fault of the way there: nobody asked for anything
    waits.note(
      { visit: visitOf('https://b.example/'), outcome: { kind: 'unreachable', failure: 'refused', detail: 'x' } },
      seconds(2),
    );
    expect(waits.current()).toEqual([{ host: 'https://a.example', until: 27_000, left: 27_000, why: '503' }]);
  });

  it('are no more than a thousand, and the log tells of each, and of what was cut', () => {
    const told: unknown[] = [];
    const log: Log = { ...silentLog, info: (event, fields) => told.push({ event, ...fields }) };
    const waits = createHostWaits(handClock(), log, minutes(5));
    for (let number = 0; number < 1005; number += 1)
      waits.note({ visit: visitOf(`https://h${number}.example/`), outcome: throttled(1e9) }, null);
    expect([waits.current().length, told.length]).toEqual([1000, 1005]);
    expect(told[0]).toEqual({
      event: 'host asked to wait',
      host: 'https://h0.example',
      why: 'Retry-After, 503',
      until: '1970-01-01T00:05:00.000Z',
      cut: 'the host asked to wait 1000000000 s (Retry-After), of which 300 s are granted (--max-retry-after)',
    });
  });
});
