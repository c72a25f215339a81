/** The promise of `--deterministic`: a restless site loads the same to the pixel each time. Without the flag it does not, so the comparison can fail. */
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { isPng } from '../../src/model/picture-type.ts';
import type { LinkRecord, PageRecord } from '../../src/model/record.ts';
import { linesOf } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';

interface Seen {
  readonly title: string | null;
  readonly text: string;
  readonly picture: Buffer;
}

interface Crawled {
  readonly pages: ReadonlyMap<string, Seen>;
  readonly links: readonly string[];
  readonly folder: string;
}

let base = '';
let first: Crawled;
let second: Crawled;
let usual: readonly [Crawled, Crawled];

/** Crawls the site on another port each time, as a folder is served. */
async function crawled(name: string, deterministic: boolean): Promise<Crawled> {
  await using site = await openFixture('restless');
  const folder = join(base, name);
  const settings = { snapshot: ['text', 'screenshot'], fullPage: true, delay: 0, deterministic } as const;
  await using crawl = await startCrawl({ seeds: [site.url], output: folder, ...settings });
  await crawl.report();
  const path = (url: string): string => url.replace(new URL(site.url).origin, '');
  const pages = new Map<string, Seen>();
  for (const { url, title, snapshot } of await linesOf<PageRecord>(folder, 'pages.jsonl')) {
    const text = await readFile(join(folder, snapshot.text ?? 'no text'), 'utf8');
    pages.set(path(url), { title, text, picture: await readFile(join(folder, snapshot.screenshot ?? 'no picture')) });
  }
  const lines = await linesOf<LinkRecord>(folder, 'links.jsonl');
  const links = lines.map(({ from, to, href, context }) => [path(from), path(to ?? ''), path(href), context].join(' '));
  return { pages, links: links.sort(), folder };
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-deterministic-'));
  first = await crawled('first', true);
  second = await crawled('second', true);
  usual = [await crawled('usual', false), await crawled('usual-again', false)];
});
afterAll(() => rm(base, { recursive: true, force: true }));

const PAGES = ['/', '/chance.html', '/clock.html', '/inside.html', '/motion.html', '/races.html'];

describe('a crawl with --deterministic', () => {
  it.each(PAGES)('sees the same text and the same pixels of %s each time', (path) => {
    expect(second.pages.get(path)?.text).toBe(first.pages.get(path)?.text);
    expect(first.pages.get(path)?.picture.equals(second.pages.get(path)?.picture ?? Buffer.of())).toBe(true);
  });

  it('finds the same pages and links', () => {
    expect([...first.pages.keys()].sort()).toEqual(PAGES);
    expect([...second.pages.keys()].sort()).toEqual(PAGES);
    expect(second.links).toEqual(first.links);
  });

  it('stops its clock at a Wednesday noon, in UTC and in English', () => {
    const { text = '' } = first.pages.get('/clock.html') ?? {};
    expect(text).toContain('Wed Jan 14 2026 12:00:00 GMT+0000 (Coordinated Universal Time) 1768392000000');
    expect(text).toContain('1/14/2026, 12:00:00 PM UTC');
    expect(text).toContain('1,234,567.891 en-US 4');
    expect(text).toMatch(/^Wed Jan 14 2026 12:00:00 GMT\+0000 \(Coordinated Universal Time\) 0\.\d+ 1\/14\/2026$/m); // the worker
  });

  it('gives chances of their own to each page, and to each call', () => {
    const numbers = /^(?:0\.\d+ ){4}0\.\d+$/m.exec(first.pages.get('/chance.html')?.text ?? '')?.[0].split(' ');
    expect(new Set(numbers).size).toBe(5);
    expect(first.pages.get('/inside.html')?.text).not.toContain(numbers?.[0]);
  });

  it('hands over answers in the order in which they were asked for', () => {
    expect(first.pages.get('/races.html')?.text).toMatch(/one\s+two\s+three\s+four/);
  });

  it('keeps pictures as PNG, and says in crawl.json that it was one', async () => {
    expect([...first.pages.values()].every(({ picture }) => isPng(picture))).toBe(true);
    expect([...usual[0].pages.values()].some(({ picture }) => isPng(picture))).toBe(false);
    const described = async ({ folder }: Crawled): Promise<unknown> =>
      JSON.parse(await readFile(join(folder, 'crawl.json'), 'utf8'));
    expect(await described(first)).toMatchObject({ options: { deterministic: true }, effective: { workers: 1 } });
    expect(await described(usual[0])).toMatchObject({ options: { deterministic: false } });
  });
});

describe('without it', () => {
  it.each(['/chance.html', '/clock.html', '/inside.html', '/motion.html'])('%s is another each time', (path) => {
    const [one, other] = usual.map(({ pages }) => pages.get(path));
    expect(one?.text).not.toBe(other?.text);
    expect(one?.picture.equals(other?.picture ?? Buffer.of())).toBe(false);
  });

  it('a link by chance leads elsewhere each time', () => {
    expect(usual[0].links).not.toEqual(usual[1].links);
  });
});
