import { expect, test } from 'vitest';
import { quietOf } from '../../../src/render/idle/real-time-wait.ts';
import { MEDIA_QUIET, SOCKET_QUIET, WORKER_QUIET } from '../../../src/render/limits/idle-limits.ts';
import type { WatchedRequest } from '../../../src/render/page/watched-request.ts';

const quietWith = (
  ...requests: readonly (Pick<WatchedRequest, 'type' | 'ended'> & Partial<Pick<WatchedRequest, 'contentType'>>)[]
): number | null => quietOf({ workers: 0, requests: requests as readonly WatchedRequest[] });

test('a page is given real time for what goes by the real clock, a little for media that have arrived, and else none', () => {
  expect(quietWith()).toBeNull();
  expect(quietWith({ type: 'fetch', ended: false }, { type: 'websocket', ended: true })).toBeNull();
  expect(quietWith({ type: 'websocket', ended: false })).toBe(SOCKET_QUIET);
  expect(quietWith({ type: 'eventsource', ended: false })).toBe(SOCKET_QUIET);
  expect(quietWith({ type: 'eventsource', ended: true })).toBeNull();
  expect(quietWith({ type: 'media', ended: false }, { type: 'media', ended: true })).toBe(SOCKET_QUIET);
  // the metadata event comes after the last byte
  expect(quietWith({ type: 'media', ended: true })).toBe(MEDIA_QUIET);
  expect(quietOf({ workers: 1, requests: [] })).toBe(WORKER_QUIET);
  // it is compiled by other threads, after its last byte
  expect(quietWith({ type: 'fetch', ended: true, contentType: 'application/wasm' })).toBe(WORKER_QUIET);
});
