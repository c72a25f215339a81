import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../src/base/units.ts';
import type { FileBody } from '../../src/model/visit-outcome.ts';
import { FixtureServer, type Route } from './fixture-server.ts';
import { openBench, type Bench } from './render-bench.ts';

/** Longer than the limit for a body, so that a stall ends by that limit. */
const PAGE_TIMEOUT = seconds(25);

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1, pageTimeout: PAGE_TIMEOUT });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const answer =
  (contentType: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Route =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': contentType, ...headers });
    response.end(body);
  };

async function bodyOf(path: string): Promise<FileBody | undefined> {
  const outcome = await bench.render(site.url(path));
  if (outcome.kind !== 'not-html') throw new Error(`it is ${outcome.kind}`);
  return outcome.body;
}

const textOf = (body: FileBody | undefined): string => new TextDecoder().decode(body?.bytes);
const MAP = '<urlset><url><loc>http://example.org/ä</loc></url></urlset>';

describe('what is no page and may hold links is read', () => {
  test.each([
    ['a sitemap', '/map.xml', answer('application/xml', MAP), MAP],
    [
      'one that is packed for the way',
      '/way.xml',
      answer('text/xml', gzipSync(MAP), { 'content-encoding': 'gzip' }),
      MAP,
    ],
    ['one that is packed as a file', '/map.xml.gz', answer('application/gzip', gzipSync(MAP)), MAP],
    ['data', '/data', answer('application/json', '{"a":1}'), '{"a":1}'],
    ['a script', '/code', answer('text/javascript', 'go()'), 'go()'],
    ['a file to be saved', '/saved.csv', answer('text/csv', 'a,b', { 'content-disposition': 'attachment' }), 'a,b'],
    ['an empty one', '/nothing.txt', answer('text/plain', ''), ''],
    ['the next one, after all these', '/next.css', answer('text/css', 'p{}'), 'p{}'],
  ])('%s', async (_what, path, route, expected) => {
    site.add({ [path]: route });
    const body = await bodyOf(path);
    expect(textOf(body)).toBe(expected);
    expect(body?.truncated).toBeNull();
    expect(site.paths().filter((asked) => asked === path)).toHaveLength(1);
  });

  test.each([
    ['a picture', '/a.png', answer('image/png', 'png')],
    ['an archive', '/a.gz', answer('application/gzip', gzipSync('x'))],
    ['a page to be saved', '/a.html', answer('text/html', '<a href=/x>', { 'content-disposition': 'attachment' })],
    [
      'one that unpacks to more than it may',
      '/bomb.xml.gz',
      answer('application/gzip', gzipSync(Buffer.alloc(60 * 1024 ** 2))),
    ],
  ])('but not %s', async (_what, path, route) => {
    site.add({ [path]: route });
    expect(await bodyOf(path)).toBeUndefined();
  });

  test('up to 5 MiB', async () => {
    site.add({ '/long.txt': answer('text/plain', 'x'.repeat(8 * 1024 ** 2)) });
    const body = await bodyOf('/long.txt');
    expect([body?.bytes.length, body?.truncated]).toEqual([5 * 1024 ** 2, 'length']);
  });

  test('but one that stalls is given up, and the page serves the next visit', async () => {
    site.add({
      '/stalls.json': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('begun');
      },
      '/after-stall': '<!doctype html><title>after</title>',
    });
    const started = performance.now();
    expect((await bodyOf('/stalls.json'))?.truncated).toBe('time');
    expect(performance.now() - started).toBeLessThan(PAGE_TIMEOUT);
    expect((await bench.capture(site.url('/after-stall'))).title).toBe('after');
  });

  test('and of one whose connection breaks what the browser gives', async () => {
    site.add({
      '/breaks.txt': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
        response.write('begun', () => setTimeout(() => response.destroy(), 100));
      },
    });
    expect('begun'.startsWith(textOf(await bodyOf('/breaks.txt')))).toBe(true);
  });
});
