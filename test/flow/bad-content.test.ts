/** Answers that are hardly pages: very long, empty, or not text. Each ends well, and memory stays bounded. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';

const MEGABYTE = 1024 * 1024;
/** Meaningless bytes, the same each time. */
const noise = Buffer.concat(Array.from({ length: 30_000 }, (_, n) => createHash('sha256').update(String(n)).digest()));
const words = (length: number): string => 'some words of a long text '.repeat(length / 26);

const BODIES: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/long.html': ['text/html', `<!doctype html><title>long</title><p>${words(10 * MEGABYTE)}`],
  '/one-word.html': ['text/html', `<!doctype html><title>one</title><p>${'x'.repeat(10 * MEGABYTE)}`],
  '/empty.html': ['text/html', ''],
  '/noise.html': ['text/html', noise],
  '/long.txt': ['text/plain', words(10 * MEGABYTE)],
  '/long.json': ['application/json', JSON.stringify(Array.from({ length: 200_000 }, () => ({ text: words(52) })))],
  '/empty.txt': ['text/plain', ''],
  '/noise.txt': ['text/plain', noise],
  '/noise.pdf': ['application/pdf', noise],
  '/noise.xml': ['application/rss+xml', noise],
};

it('pages of 10 MB, empty ones and noise end well where no browser is needed', async () => {
  await using origin = await httpOrigin((request, response) => {
    const [type, body] = BODIES[request.url ?? ''] ?? [];
    if (type === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const output = await mkdtemp(join(tmpdir(), 'orbweaver-bad-content-'));
  try {
    const seeds = Object.keys(BODIES).map((path) => `${origin.url}${path}`);
    const before = process.memoryUsage().rss;
    await using crawl = await startCrawl({
      seeds,
      depth: 0,
      render: 'never',
      output,
      overwrite: true,
      delay: 0,
      workers: 2,
      logLevel: 'warn',
    });
    const { folder, totals } = await crawl.report();
    expect(process.memoryUsage().rss - before).toBeLessThan(700 * MEGABYTE);
    expect(totals).toMatchObject({ visited: seeds.length, failed: 0, queued: 0 });
    const pages = await linesOf<PageRecord>(folder, 'pages.jsonl');
    const of = (path: string): Partial<PageRecord> => pages.find(({ url }) => url.endsWith(path)) ?? {};
    for (const path of Object.keys(BODIES))
      expect([path, of(path).outcome]).toEqual([path, path.endsWith('.html') ? 'captured' : 'not-html']);
    // 2 million characters of a text are kept, and the fingerprint is made of these
    expect([of('/long.txt').words, of('/long.html').words]).toEqual([483_959, 483_958]);
    expect(of('/one-word.html').words).toBe(1);
    expect(of('/empty.html')).toMatchObject({ title: '', words: 0, duplicateOf: null });
    expect(of('/empty.txt')).toMatchObject({ words: 0, facts: {} });
    expect(of('/noise.pdf')).toMatchObject({ facts: {}, words: null });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
});
