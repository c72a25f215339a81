import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { CrawlError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { milliseconds } from '../../../src/base/units.ts';
import { createVisitMaker, LEASE_TERM, type VisitMakerOptions } from '../../../src/dispatch/make-visit.ts';
import { NO_NAMES } from '../../../src/model/robots-names.ts';
import { handClock } from '../../support/hand-clock.ts';
import { visitOf } from '../../support/page.ts';

/** Makes visits for which all is allowed; options that a test does not name do nothing. */
function makerWith(options: Partial<VisitMakerOptions>): ReturnType<typeof createVisitMaker> {
  return createVisitMaker({
    egress: { check: () => Promise.resolve({ kind: 'allowed', addresses: [] }) },
    robots: {
      verdict: () => Promise.resolve({ kind: 'allowed', fetched: false, rule: '', crawlDelay: null, names: NO_NAMES }),
    },
    delayOf: () => milliseconds(1000),
    clock: systemClock,
    frontier: {
      begin: () => Promise.resolve(true),
      renew: () => Promise.resolve(true),
      release: () => Promise.resolve(true),
    },
    log: silentLog,
    leaseFor: LEASE_TERM,
    loadPage: () => Promise.resolve(null),
    process: () => Promise.reject(new Error('nothing was loaded')),
    commit: () => Promise.resolve(),
    onBroken: () => {},
    draining: new AbortController().signal,
    atOnce: new AbortController().signal,
    watch: { note: () => ({ [Symbol.dispose]: () => {} }) },
    ...options,
  });
}

it.each([
  [new CrawlError('BROWSER_UNUSABLE', 'the browser does not start'), true],
  [new Error('a fault'), false],
])('the crawl ends where no page can be loaded any more, and no page is blamed: %s', async (error, ends) => {
  const atOnce = new AbortController();
  const release = vi.fn(() => Promise.resolve(true));
  const commit = vi.fn(() => Promise.resolve());
  const onBroken = vi.fn((cause: unknown) => atOnce.abort(cause));
  const maker = makerWith({
    frontier: { begin: () => Promise.resolve(true), renew: () => Promise.resolve(true), release },
    loadPage: () => Promise.reject(error),
    commit,
    onBroken,
    atOnce: atOnce.signal,
  });
  await maker.make(visitOf('http://a.test/'));
  expect(onBroken.mock.calls).toEqual(ends ? [[error]] : []);
  expect(release).toHaveBeenCalledTimes(ends ? 1 : 0);
  expect(commit).not.toHaveBeenCalled();
});

it('visits of one host never start within its delay, however late they come to their start', async () => {
  const clock = handClock();
  const started: (readonly [path: string, at: number])[] = [];
  const released: (readonly [token: number, due: number | undefined])[] = [];
  const maker = makerWith({
    clock,
    frontier: {
      begin: () => Promise.resolve(true),
      renew: () => Promise.resolve(true),
      release: (token, _now, due) => {
        released.push([token, due]);
        return Promise.resolve(true);
      },
    },
    loadPage: async ({ url }) => {
      started.push([new URL(url).pathname, clock.now()]);
      return await new Promise(() => {}); // it lasts
    },
  });
  let token = 0;
  const make = (path: string): void => {
    token += 1;
    void maker.make({ ...visitOf(`http://a.test${path}`), token });
  };
  await clock.run(milliseconds(5000));
  // what Redis held back comes at once
  make('/first');
  await clock.settled();
  make('/same-moment');
  void maker.make({ ...visitOf('http://b.test/other-host'), token: 100 });
  await clock.run(milliseconds(300));
  make('/early');
  await clock.run(milliseconds(690));
  make('/nearly');
  await clock.settled();
  make('/behind-it');
  await clock.run(milliseconds(1010));
  make('/in-time');
  await clock.settled();
  expect(started).toEqual([
    ['/first', 5000],
    ['/other-host', 5000],
    ['/nearly', 6000],
    ['/in-time', 7000],
  ]);
  expect(released).toEqual([
    [2, 6000],
    [3, 6000],
    [5, 7000],
  ]);
});
