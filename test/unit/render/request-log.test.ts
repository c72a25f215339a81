import { describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { milliseconds } from '../../../src/base/units.ts';
import { REQUEST_LIMIT } from '../../../src/render/page-limits.ts';
import { RequestLog } from '../../../src/render/page/request-log.ts';
import { isOpening } from '../../../src/render/page/watched-request.ts';

/** A log with a clock of its own. */
function logAt(): { readonly log: RequestLog; readonly pass: (duration: number) => void } {
  let now = 0;
  const clock: Clock = { ...systemClock, monotonic: () => milliseconds(now) };
  return { log: new RequestLog(clock), pass: (duration) => (now += duration) };
}

const socket = (requestId: string): Parameters<RequestLog['socketOpened']>[0] => ({
  requestId,
  url: 'ws://localhost/live',
  initiator: { type: 'script' },
});

describe('a socket', () => {
  test('is waited for until its handshake has come, and not after', () => {
    const { log } = logAt();
    log.socketOpened(socket('1'));
    expect(log.waitedFor().map(isOpening)).toEqual([true]);
    const response = { status: 101, statusText: 'Switching Protocols', headers: {} };
    log.socketAnswered({ requestId: '1', timestamp: 0, response });
    expect(log.waitedFor()).toEqual([]);
  });

  test('that is opened again and again is waited for three times', () => {
    const { log } = logAt();
    const waited = ['1', '2', '3', '4', '5'].map((requestId) => {
      log.socketOpened(socket(requestId));
      const count = log.waitedFor().length;
      log.socketClosed(requestId);
      return count;
    });
    expect(waited).toEqual([1, 1, 1, 0, 0]);
  });
});

test('twenty messages of streams break the silence, and no more of them', () => {
  const { log, pass } = logAt();
  for (let message = 1; message <= 25; message++) {
    pass(50);
    log.streamSaid();
  }
  expect(log.news.silence()).toBe(250);
});

test('a request that the page gives up has not failed', () => {
  const { log } = logAt();
  const begun = (requestId: string) =>
    ({
      ...{ requestId, loaderId: 'document', type: 'Fetch', initiator: { type: 'script' } },
      request: { url: `https://example.com/${requestId}`, method: 'GET', headers: {} },
    }) as unknown as Parameters<RequestLog['begin']>[0];
  for (const requestId of ['given-up', 'broken']) log.begin(begun(requestId));
  const failure = { timestamp: 0, type: 'Fetch' } as const;
  log.failedWith({ ...failure, requestId: 'given-up', errorText: 'net::ERR_ABORTED', canceled: true });
  log.failedWith({ ...failure, requestId: 'broken', errorText: 'net::ERR_CONNECTION_RESET', canceled: false });
  expect(log.failed).toBe(1);
  expect(log.waitedFor()).toEqual([]);
});

describe('a fetch of which it is not known whether its body is on the way', () => {
  const head = { url: 'https://example.com/data', status: 200, mimeType: 'application/json' };
  function answeredWith(headers: Record<string, string>, mimeType = head.mimeType): ReturnType<typeof logAt> {
    const at = logAt();
    at.log.begin({
      ...{ requestId: '1', loaderId: 'document', type: 'Fetch', initiator: { type: 'script' } },
      request: { url: head.url, method: 'GET', headers: {} },
    } as unknown as Parameters<RequestLog['begin']>[0]);
    const answer = { requestId: '1', response: { ...head, mimeType, headers } };
    at.log.answered(answer as unknown as Parameters<RequestLog['answered']>[0]);
    return at;
  }

  test.each([
    ['a length', { 'Content-Length': '200000' }, 400],
    ['no length', {}, 2400],
  ])('is waited for while the page reads it, with %s', (_what, headers, pause) => {
    const { log, pass } = answeredWith(headers);
    for (let part = 0; part < 10; part++) {
      pass(pause);
      expect(log.waitedFor()).toHaveLength(1);
      log.taken('1');
    }
    pass(pause + 200);
    expect(log.waitedFor()).toEqual([]);
  });

  test('is a stream where events are read from it, and not waited for', () => {
    const { log, pass } = answeredWith({}, 'text/event-stream');
    for (let part = 0; part < 10; part++, log.taken('1')) pass(400);
    expect(log.waitedFor()).toEqual([]);
  });
});

test('requests beyond the limit are reports of the browser, and no news', () => {
  const { log, pass } = logAt();
  const asked = { documentURL: 'http://localhost/', timestamp: 0, wallTime: 0, redirectHasExtraInfo: false };
  const begin = (requestId: string): void =>
    log.begin({
      ...asked,
      requestId,
      loaderId: 'document',
      request: {
        url: 'http://localhost/api',
        method: 'GET',
        headers: {},
        initialPriority: 'High',
        referrerPolicy: 'origin',
      },
      initiator: { type: 'script' },
      type: 'Fetch',
    });
  for (let count = 0; count < REQUEST_LIMIT; count++) begin(`${count}`);
  const spoken: number[] = [];
  for (const act of [
    begin,
    (requestId: string) => log.failedWith({ requestId, timestamp: 0, type: 'Fetch', errorText: '' }),
  ]) {
    pass(1000);
    act('beyond');
    spoken.push(log.news.sinceReport());
  }
  expect({ spoken, silence: log.news.silence(), begun: log.counts.begun }).toEqual({
    spoken: [0, 0],
    silence: 2000,
    begun: REQUEST_LIMIT + 1,
  });
});
