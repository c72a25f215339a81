/** Pages that are filled from an API: reading them without a browser loses no link, whatever the API or the page does. */
import { expect, test } from 'vitest';
import { edgesOf, urlsOf } from '../support/again-site.ts';
import { both, product, PRODUCTS, readOnly, type Shop } from '../support/api-shop.ts';

test('a page with what no answer has had before is compared, and none of its links is lost', async () => {
  const script = `if (d.more) document.body.insertAdjacentHTML('beforeend', '<a href="/more/' + d.id + '">more</a>');
    if (d.sale === true) document.body.insertAdjacentHTML('beforeend', '<a href="/more/' + (d.id - 1) + '">sale</a>')`;
  const { always, auto } = await both({
    script,
    answer: (number) => {
      const extra = number % 9 === 8 ? { more: 'yes' } : number === 31 ? { sale: true } : {};
      return { status: 200, body: { ...product(number), sale: false, ...extra } };
    },
  });
  expect(urlsOf(always).filter((path) => path.startsWith('/more/'))).toHaveLength(5);
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  expect(edgesOf(auto)).toEqual(edgesOf(always));
  expect(readOnly(auto)).toBeGreaterThan(10);
});

test('pages that were read so are visited again where one of them shows that they hid something', async () => {
  const script = `if (d.id >= 17) document.body.insertAdjacentHTML('beforeend', '<a href="/more/' + d.id + '">more</a>')`;
  const { always, auto } = await both({ script, isChain: true });
  expect(urlsOf(always).filter((path) => path.startsWith('/more/'))).toHaveLength(PRODUCTS - 17);
  expect(auto.pages.filter(({ again }) => again === true).length).toBeGreaterThan(2);
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  expect(edgesOf(auto)).toEqual(edgesOf(always));
});

const REFUSALS: readonly (readonly [what: string, site: Shop])[] = [
  [
    'answers those alone who say what a script of the page does',
    {
      ask: `fetch('/api/products/' + id, { headers: { 'x-shop': 'yes' } })`,
      answer: (_product, { headers }) => (headers['x-shop'] === 'yes' ? null : { status: 403, body: {} }),
    },
  ],
  [
    'answers others with other things',
    {
      ask: `fetch('/api/products/' + id, { headers: { 'x-shop': 'yes' } })`,
      answer: (number, { headers }) =>
        headers['x-shop'] === 'yes' ? null : { status: 200, body: { ...product(number), related: [] } },
    },
  ],
  ['knows its visitors', { headers: { 'set-cookie': 'visitor=1; path=/' } }],
  ['is asked by another number', { ask: `fetch('/api/products/' + ((id * 7 + 3) % ${PRODUCTS}))` }],
];

test.each(REFUSALS)('an API that %s is left to the browser, and nothing is lost', async (_what, site) => {
  const { always, auto } = await both(site);
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  expect(edgesOf(auto)).toEqual(edgesOf(always));
  expect(readOnly(auto)).toBe(0);
});

test('an API that fails from some page on has the browser show what it does', async () => {
  const { always, auto } = await both({
    answer: (number, _request, asked) => (asked > 45 && number % 2 === 0 ? { status: 500, body: {} } : null),
  });
  expect(urlsOf(auto)).toEqual(urlsOf(always));
  // a page whose API fails is rendered: only a browser can say what it shows
  for (const { url, rendered } of auto.pages.filter((page) => page.url.includes('/product/') && !page.rendered))
    expect([url, rendered, auto.links.filter(({ from, kind }) => from === url && kind === 'anchor').length]).toEqual([
      url,
      false,
      3,
    ]);
  expect(readOnly(auto)).toBeGreaterThan(5);
});
