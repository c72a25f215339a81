import { expect, test } from 'vitest';
import { workerOptions } from '../../../../src/crawl/fleet/worker-options.ts';

const POSTED = {
  depth: 3,
  headers: ['X-Key: (redacted)', 'X-Other: (redacted)'],
  httpAuth: ['(redacted)@a.example', '(redacted)@https://b.example:8443'],
  proxy: 'http://proxy.example:3128',
};
const OWN = {
  headers: ['x-key: one', 'X-Other: two', 'X-Unknown: three'],
  httpAuth: ['me:secret@a.example', 'me:other@https://b.example:8443', 'me:third@c.example'],
  proxy: 'socks5://127.0.0.1:1080',
};

test('a worker has the options of the crawl, and its own values of what the crawl names: no others', () => {
  expect(workerOptions(POSTED, OWN, 'c-1')).toEqual({
    depth: 3,
    headers: ['x-key: one', 'X-Other: two'],
    httpAuth: ['me:secret@a.example', 'me:other@https://b.example:8443'],
    proxy: 'socks5://127.0.0.1:1080',
  });
  const { proxy: _none, ...without } = OWN;
  expect(workerOptions({ depth: 3 }, without, 'c-1')).toEqual({
    depth: 3,
    headers: [],
    httpAuth: [],
    proxy: undefined,
  });
});

test.each([
  [
    'a header',
    { headers: ['X-Other: two'] },
    'values stay on each machine: X-Key.\nGive this worker the same: --header',
  ],
  ['a password', { httpAuth: ['me:secret@a.example'] }, 'signs in at https://b.example:8443, and passwords stay'],
  ['the proxy', { proxy: undefined }, 'goes through a proxy.\nGive this worker one: --proxy, or ORBWEAVER_PROXY'],
])('a worker without %s of the crawl is refused, and told what to give', (_what, changes, words) => {
  expect(() => workerOptions(POSTED, { ...OWN, ...changes }, 'c-1')).toThrow(
    expect.objectContaining({ code: 'WORKER_REFUSED', message: expect.stringContaining(words) }),
  );
});

test('a worker with a proxy is refused where the crawl has none: its visits would take another way', () => {
  expect(() => workerOptions({}, { proxy: OWN.proxy }, 'c-1')).toThrow(
    'goes through no proxy, and this worker was given one',
  );
});
