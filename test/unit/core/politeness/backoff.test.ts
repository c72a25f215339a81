import { describe, expect, it } from 'vitest';
import { hours, milliseconds, minutes, seconds, type Milliseconds } from '../../../../src/base/units.ts';
import { AFTER_FAILURE, afterOutcome } from '../../../../src/core/politeness/backoff.ts';
import type { Truncation } from '../../../../src/model/truncation.ts';
import type { NetworkFailure, VisitOutcome } from '../../../../src/model/visit-outcome.ts';

const none = milliseconds(0);
const timing = { wait: none, ttfb: none, load: none, settle: none, total: none };
const answer = (status: number) => ({ status, headers: [], contentType: 'text/html', timing });
const unreachable = (failure: NetworkFailure): VisitOutcome => ({ kind: 'unreachable', failure, detail: '' });
const throttled = (retryAfter: Milliseconds | null): VisitOutcome => ({
  kind: 'throttled',
  answer: answer(429),
  retryAfter,
});
const httpError = (status: number): VisitOutcome => ({ kind: 'http-error', answer: answer(status) });
const least = () => 0;
const most = () => 1 - Number.EPSILON;

describe('afterOutcome', () => {
  it.each(['refused', 'reset', 'dns', 'timeout', 'proxy', 'bad-response', 'other', 'robots'] as const)(
    'tries %s again after about 2 s, twice as long each time, at most a minute',
    (failure) => {
      const waits = [1, 2, 3, 4, 5, 6, 50].map((attempt) =>
        [least, most].map((random) => afterOutcome(unreachable(failure), { attempt, retries: 99, random }).wait),
      );
      expect(waits).toEqual([
        [1500, 2000],
        [3000, 4000],
        [6000, 8000],
        [12_000, 16_000],
        [24_000, 32_000],
        [45_000, 60_000],
        [45_000, 60_000],
      ]);
    },
  );

  it('allows as many further tries as the user said', () => {
    const retried = [1, 2, 3].map(
      (attempt) => afterOutcome(unreachable('reset'), { attempt, retries: 2, random: least }).retry,
    );
    expect(retried).toEqual([true, true, false]);
  });

  it('gives a last try no wait, and still leaves the host alone', () => {
    expect(afterOutcome(unreachable('refused'), { attempt: 3, retries: 2, random: most })).toEqual({
      retry: false,
      wait: 0,
      hostBackoff: { wait: 2000, most: minutes(1) },
    });
  });

  it('tries a body again whose connection ended within it, and no other that is cut', () => {
    const file = (truncated: Truncation | null): VisitOutcome => ({
      kind: 'not-html',
      answer: answer(200),
      body: { bytes: new Uint8Array(), truncated },
    });
    const retried = (['disconnect', 'time', 'length', 'ratio', 'encoding', null] as const).map(
      (cause) => afterOutcome(file(cause), { attempt: 1, retries: 2, random: least }).retry,
    );
    expect(retried).toEqual([true, false, false, false, false, false]);
  });

  it('counts a browser that died as two tries', () => {
    const crashed: VisitOutcome = { kind: 'crashed', detail: '' };
    const retried = (retries: number): readonly boolean[] =>
      [1, 2, 3].map((attempt) => afterOutcome(crashed, { attempt, retries, random: least }).retry);
    expect([0, 1, 2, 3, 4].map(retried)).toEqual([
      [false, false, false],
      [false, false, false],
      [true, false, false],
      [true, false, false],
      [true, true, false],
    ]);
  });

  it('tries once more at most what took more memory than it may, whatever is allowed', () => {
    const crashed: VisitOutcome = { kind: 'crashed', detail: '', memory: true };
    const retried = (retries: number): readonly boolean[] =>
      [1, 2, 3].map((attempt) => afterOutcome(crashed, { attempt, retries, random: least }).retry);
    expect([0, 2, 9].map(retried)).toEqual([
      [false, false, false],
      [true, false, false],
      [true, false, false],
    ]);
  });

  it('never tries again what a wrong certificate or another status of 4xx has ended', () => {
    for (const outcome of [unreachable('tls'), httpError(404), httpError(403), httpError(400)]) {
      expect(afterOutcome(outcome, { attempt: 1, retries: 9, random: least })).toEqual({
        retry: false,
        wait: 0,
        hostBackoff: null,
      });
    }
  });

  it.each([408, 425])('tries a status of %i again, which is about the connection', (status) => {
    expect(afterOutcome(httpError(status), { attempt: 1, retries: 2, random: most })).toEqual({
      retry: true,
      wait: 2000,
      hostBackoff: null,
    });
    expect(afterOutcome(httpError(status), { attempt: 3, retries: 2, random: most }).retry).toBe(false);
  });

  it('tries a status of 5xx again and does not blame the host for one page', () => {
    expect(afterOutcome(httpError(500), { attempt: 1, retries: 2, random: most })).toEqual({
      retry: true,
      wait: 2000,
      hostBackoff: null,
    });
  });

  it.each([
    [none, seconds(1)],
    [seconds(7), seconds(7)],
    [hours(1), hours(1)],
    [hours(1000), hours(1)],
  ])('honours a Retry-After of %d ms as %d ms, for the whole host', (asked, wait) => {
    expect(afterOutcome(throttled(asked), { attempt: 1, retries: 1, random: least })).toEqual({
      retry: true,
      wait,
      hostBackoff: { wait, most: null },
    });
  });

  it('grants no more of a Retry-After than the user allows, and more than an hour where he allows it', () => {
    const waits = [minutes(5), hours(24), milliseconds(0)].map(
      (maxRetryAfter) =>
        afterOutcome(throttled(hours(1e6)), { attempt: 1, retries: 1, random: least, maxRetryAfter }).wait,
    );
    expect(waits).toEqual([minutes(5), hours(24), 0]);
  });

  it('honours a Retry-After of robots.txt likewise', () => {
    const outcome: VisitOutcome = { kind: 'unreachable', failure: 'robots', detail: '', retryAfter: minutes(2) };
    expect(afterOutcome(outcome, { attempt: 1, retries: 1, random: least })).toEqual({
      retry: true,
      wait: minutes(2),
      hostBackoff: { wait: minutes(2), most: null },
    });
  });

  it('waits half a minute, then longer, at most an hour, where a throttled host does not say how long', () => {
    const waits = [1, 2, 3, 20].map(
      (attempt) => afterOutcome(throttled(null), { attempt, retries: 99, random: most }).wait,
    );
    expect(waits).toEqual([seconds(30), minutes(1), minutes(2), hours(1)]);
    expect(afterOutcome(throttled(null), { attempt: 1, retries: 1, random: least }).wait).toBe(seconds(15));
  });

  it('tells of a host what a first failure costs it, whichever try of the URL this was', () => {
    for (const attempt of [1, 2, 7]) {
      const { hostBackoff } = afterOutcome(throttled(null), { attempt, retries: 9, random: most });
      expect(hostBackoff).toEqual({ wait: seconds(30), most: hours(1) });
    }
  });

  it('has nothing to say about what is no failure, or final', () => {
    const final: VisitOutcome[] = [
      { kind: 'disallowed', line: '' },
      { kind: 'too-large', detail: '' },
      { kind: 'blocked-address', detail: '' },
      { kind: 'not-html', answer: answer(200) },
      { kind: 'redirected', answer: answer(301), location: '/' },
    ];
    for (const outcome of final) {
      expect(afterOutcome(outcome, { attempt: 1, retries: 9, random: least })).toEqual({
        retry: false,
        wait: 0,
        hostBackoff: null,
      });
    }
  });

  it('blames the host for robots.txt that fails in passing, because no page may be visited without it', () => {
    const failures = Object.keys(AFTER_FAILURE) as readonly (keyof typeof AFTER_FAILURE)[];
    const blaming = failures.filter((failure) => {
      const outcome = { ...unreachable(failure as NetworkFailure), ofRobots: true } as VisitOutcome;
      return afterOutcome(outcome, { attempt: 1, retries: 2, random: least }).hostBackoff !== null;
    });
    expect(blaming.toSorted()).toEqual([
      'bad-response',
      'dns',
      'other',
      'refused',
      'reset',
      'robots',
      'throttled',
      'timeout',
    ]);
  });

  it('blames the host exactly for what all its pages suffer from', () => {
    const blaming = Object.entries(AFTER_FAILURE)
      .filter(([, rule]) => rule.blamesHost)
      .map(([kind]) => kind);
    expect(blaming.sort()).toEqual(['dns', 'refused', 'robots', 'throttled', 'timeout']);
  });
});
