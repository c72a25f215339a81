import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffCrawls } from '../../../src/compare/diff-crawls.ts';
import { learnedNoise } from '../../../src/compare/learned-noise.ts';
import { comparedSites, storeComparedSite, toldBy } from '../../support/compared-sites.ts';

const QUOTES = ['Rolling stones gather no moss', 'Early birds catch the worm', 'Too many cooks spoil the broth'];

interface Moment {
  readonly bundle: string;
  readonly time: string;
  readonly views: number;
  readonly quote: string;
  readonly advert: string;
  readonly price?: number;
}

/** A shop on one day. */
function shop({ bundle, time, views, quote, advert, price = 12 }: Moment): { readonly pages: Record<string, string> } {
  const html =
    `<!doctype html><html lang="en"><head><title>Shop</title><script src="/app.${bundle}.js"></script></head><body>` +
    `<p>As of ${time}</p><p>${views} views</p><h2>Quote of the day</h2><p>${quote}</p><h2>Offers</h2>` +
    `<p>A rope costs ${price} euro.</p><p>Stock today: ${advert} pieces left</p><a href="/ad/${advert}"></a></body></html>`;
  return { pages: { '/': html } };
}

const MONDAY = { bundle: '3f9a1c02', time: '2026-11-23 09:00', views: 12, quote: QUOTES[0] ?? '', advert: 'forty' };
const TUESDAY = { bundle: '77aa01bc', time: '2026-11-24 10:30', views: 345, quote: QUOTES[1] ?? '', advert: 'thirty' };
const FRIDAY = { bundle: '00aa11bb', time: '27 Nov 2026', views: 9000, quote: QUOTES[2] ?? '', advert: 'two' };

const signal = new AbortController().signal;

describe('what changes by itself', () => {
  it('is no difference where it is a date, a counter or the hash of a bundle', async () => {
    const later = { ...MONDAY, bundle: '77aa01bc', time: '24 November 2026, 10:30', views: 1_345 };
    expect(toldBy(await comparedSites(shop(MONDAY), shop(later)))).toEqual([]);
  });

  it('is learnt from two crawls of one state, masked by its place later, and named', async () => {
    await using old = await storeComparedSite(shop(MONDAY));
    await using again = await storeComparedSite(shop(TUESDAY));
    await using same = await storeComparedSite(shop(FRIDAY));
    await using dearer = await storeComparedSite(shop({ ...FRIDAY, price: 14 }));
    const { places } = await learnedNoise(old.folder, again.folder, signal);
    expect(places).toEqual([
      { facet: 'links', address: '/', passage: '/ad/*' },
      { facet: 'text', address: '/', passage: 'Quote of the day ⏎ * ⏎ Offers' },
      { facet: 'text', address: '/', passage: 'Stock today: * pieces left' },
    ]);
    const unchanged = await diffCrawls(old.folder, same.folder);
    expect(toldBy(unchanged)).toEqual([]);
    expect(unchanged.notes).toEqual([
      'noise: text “Quote of the day ⏎ * ⏎ Offers” on / changes by itself; 1 difference masked',
      'noise: text “Stock today: * pieces left” on / changes by itself; 1 difference masked',
      'noise: links “/ad/*” on / changes by itself; 2 differences masked',
    ]);
    expect(toldBy(await diffCrawls(old.folder, dearer.folder))).toEqual([
      'changed-text: The text changed: A rope costs [-12-] {+14+} euro.',
    ]);
  });

  it('that was learnt stays when more is learnt, and a file that is none is refused', async () => {
    await using old = await storeComparedSite(shop(MONDAY));
    await using again = await storeComparedSite(shop({ ...MONDAY, quote: TUESDAY.quote }));
    await using third = await storeComparedSite(shop({ ...MONDAY, advert: 'six' }));
    await learnedNoise(old.folder, again.folder, signal);
    const { places, path } = await learnedNoise(old.folder, third.folder, signal);
    expect(places.map(({ passage }) => passage)).toEqual([
      '/ad/*',
      'Quote of the day ⏎ * ⏎ Offers',
      'Stock today: * pieces left',
    ]);
    expect(path).toBe(join(old.folder, 'noise.json'));
    await writeFile(path, (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2'));
    await expect(diffCrawls(old.folder, third.folder)).rejects.toThrow(
      /noise\.json holds no noise of this version \(format: .*\nRemove it, and learn again\./,
    );
  });

  it.each([
    ['behind 600 characters of a line', 600, 0],
    ['ahead of 600 characters', 0, 600],
    ['amid 600 characters', 600, 600],
    ['behind 5,000 characters', 5000, 0],
  ])('is masked %s', async (_where, ahead, behind) => {
    const fill = (length: number): string => 'Boats lie in the harbour. '.repeat(Math.ceil(length / 26));
    const day = (quote: string, price = 12): { readonly pages: Record<string, string> } => ({
      pages: {
        '/': `<!doctype html><title>Shop</title><p>${fill(ahead)}A saying of today: ${quote}! Ropes cost ${price} euro. ${fill(behind)}</p>`,
      },
    });
    await using old = await storeComparedSite(day('Rolling stones'));
    await using again = await storeComparedSite(day('Early birds'));
    await using later = await storeComparedSite(day('Too many cooks'));
    await using dearer = await storeComparedSite(day('Rolling stones', 14));
    await learnedNoise(old.folder, again.folder, signal);
    expect(toldBy(await diffCrawls(old.folder, later.folder))).toEqual([]);
    expect(toldBy(await diffCrawls(old.folder, dearer.folder))).toHaveLength(1);
  });

  it('is masked in addresses that are long, and in several of one path', async () => {
    const day = (number: number, more = ''): { readonly pages: Record<string, string> } => ({
      pages: {
        '/':
          '<!doctype html><title>Shop</title><p>Offers</p>' +
          `<a href="/boats"></a><a href="/ad?slot=1&r=${number}"></a><a href="/ad?slot=2&r=${number}"></a>` +
          `<a href="https://ads.example/${'frame/'.repeat(100)}${number}"></a>${more}`,
      },
    });
    await using old = await storeComparedSite(day(1204));
    await using again = await storeComparedSite(day(7781));
    await using later = await storeComparedSite(day(9942));
    await using other = await storeComparedSite(day(9942, '<a href="/sale"></a>'));
    await learnedNoise(old.folder, again.folder, signal);
    expect(toldBy(await diffCrawls(old.folder, later.folder))).toEqual([]);
    expect(toldBy(await diffCrawls(old.folder, other.folder))).toEqual(['changed-links: A new link to /sale']);
  });
});
