import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { CrawlError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { milliseconds } from '../../../src/base/units.ts';
import { createVisitMaker, LEASE_TERM } from '../../../src/dispatch/make-visit.ts';
import { NO_NAMES } from '../../../src/model/robots-names.ts';
import { visitOf } from '../../support/page.ts';

it.each([
  [new CrawlError('BROWSER_UNUSABLE', 'the browser does not start'), true],
  [new Error('a fault'), false],
])('the crawl ends where no page can be loaded any more, and no page is blamed: %s', async (error, ends) => {
  const atOnce = new AbortController();
  const release = vi.fn(() => Promise.resolve(true));
  const commit = vi.fn(() => Promise.resolve());
  const onBroken = vi.fn((cause: unknown) => atOnce.abort(cause));
  const maker = createVisitMaker({
    egress: { check: () => Promise.resolve({ kind: 'allowed', addresses: [] }) },
    robots: {
      verdict: () => Promise.resolve({ kind: 'allowed', fetched: false, rule: '', crawlDelay: null, names: NO_NAMES }),
    },
    delayOf: () => milliseconds(1000),
    clock: systemClock,
    frontier: { begin: () => Promise.resolve(true), renew: () => Promise.resolve(true), release },
    log: silentLog,
    leaseFor: LEASE_TERM,
    loadPage: () => Promise.reject(error),
    process: () => Promise.reject(new Error('nothing was loaded')),
    commit,
    onBroken,
    draining: new AbortController().signal,
    atOnce: atOnce.signal,
    watch: { note: () => ({ [Symbol.dispose]: () => {} }) },
  });
  await maker.make(visitOf('http://a.test/'));
  expect(onBroken.mock.calls).toEqual(ends ? [[error]] : []);
  expect(release).toHaveBeenCalledTimes(ends ? 1 : 0);
  expect(commit).not.toHaveBeenCalled();
});
