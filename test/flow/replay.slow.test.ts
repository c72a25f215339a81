/** A page of a WACZ file opens in a browser that has no network but the file, and is whole. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCrawl } from '../../src/crawl/start-crawl.ts';
import { exportCrawl } from '../../src/inspect/export-crawl.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { openReplayBrowser, type ReplayBrowser } from '../support/replay.ts';
import { readWacz, type ReadWacz } from '../support/wacz.ts';

let base = '';
let start = '';
let wacz: ReadWacz;
let browser: ReplayBrowser;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-replay-'));
  const output = join(base, 'crawl');
  {
    await using site = await openFixture('archived-page');
    start = site.url;
    await using crawl = await startCrawl({ seeds: [site.url], output, delay: 0, snapshot: ['warc'] });
    await crawl.report();
  } // the site is gone: everything from here on comes from the file
  await exportCrawl(output, { wacz: join(base, 'shop.wacz') });
  wacz = await readWacz(join(base, 'shop.wacz'));
  browser = await openReplayBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await rm(base, { recursive: true, force: true });
});

/** Returns the visible content of the shop once it is quiet, without the parts that are missing. */
const LOOK = `(async () => {
  for (let turn = 0; turn < 100 && (document.querySelectorAll('li img').length < 2 || document.getElementById('sum').textContent === ''); turn += 1)
    await new Promise((next) => setTimeout(next, 20));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  const tile = new Image();
  tile.src = getComputedStyle(document.body).backgroundImage.slice(5, -2);
  await tile.decode().catch(() => {});
  return {
    title: document.title,
    text: document.body.innerText.replace(/\\s+/g, ' ').trim(),
    pictures: [...document.images].map((image) => image.naturalWidth),
    tile: tile.naturalWidth,
    colour: getComputedStyle(document.querySelector('h1')).color,
  };
})()`;

const WHOLE = {
  title: 'Shop',
  text: '=Looms & "shelves" Woven by hand since 1801. Loom for 120 Shelf for 45 All for 165 About us The old shop Gone Report',
  pictures: [16, 16, 16],
  tile: 16,
  colour: 'rgb(12, 34, 56)',
};

describe('a page of a WACZ file', () => {
  test('opens with its text, styles, scripts, data and pictures, and asks for nothing that is not there', async () => {
    await using replay = browser.replay(wacz.answers);
    const { evaluate } = await replay.open(start);
    expect(await evaluate(LOOK)).toEqual(WHOLE);
    expect(replay.missing).toEqual([]);
  });

  test.each([
    '/goods/loom.png?size=full',
    '/goods/shelf.png',
    '/look.css',
    '/colours.css',
    '/tile.png',
    '/shop.js',
    '/api/goods?sort=price',
    '/sum.mjs',
    '/arithmetic.mjs',
  ])('is not whole without %s', async (path) => {
    const part = `GET ${new URL(path, start).href}`;
    expect([...wacz.answers.keys()]).toContain(part);
    await using replay = browser.replay(new Map([...wacz.answers].filter(([asked]) => asked !== part)));
    const { evaluate } = await replay.open(start);
    expect(await evaluate(LOOK)).not.toEqual(WHOLE);
    expect(replay.missing).toContain(part);
  });

  test('leads on to the other pages of the crawl with their own pictures, and to redirects and missing pages', async () => {
    await using replay = browser.replay(wacz.answers);
    const about = await replay.open(new URL('/about', start).href);
    const seen = 'document.title + " " + [...document.images].map((image) => image.naturalWidth)';
    expect(await about.evaluate(seen)).toBe('About 16');
    const redirected = await replay.open(new URL('/old-shop', start).href);
    expect(await redirected.evaluate('document.title + " " + location.href')).toBe(`Shop ${start}`);
    expect(wacz.answers.get(`GET ${new URL('/gone', start).href}`)?.status).toBe(404);
    expect(replay.missing).toEqual([]);
  });
});
