import { expect, test } from 'vitest';
import { dataLinks } from '../../../../src/core/links/markup/data-attributes.ts';

const read = (name: string, value: string): readonly string[] =>
  dataLinks('div', name, value).map(({ href, confidence = 'high', kind }) => `${kind} ${confidence} ${href}`);

test.each<[string, string, readonly string[]]>([
  ['data-href', '/a', ['attribute high /a']],
  ['data-url', 'https://example.org/b', ['attribute high https://example.org/b']],
  ['data-target-url', './c', ['attribute high ./c']],
  ['data-permalink', '?page=2', ['attribute high ?page=2']],
  ['data-href', '#/route', ['attribute high #/route']],
  ['data-link', 'page.html', ['attribute high page.html']],
  ['data-src', '/lazy.jpg', ['resource high /lazy.jpg']],
  ['data-src', 'pictures/lazy.jpg', ['resource high pictures/lazy.jpg']],
  ['data-srcset', '/a.jpg 1x, /b.jpg 2x', ['resource high /a.jpg', 'resource high /b.jpg']],
  ['data-bg', 'url("/bg.png")', ['resource high /bg.png']],
  ['data-poster', 'p.webp', ['resource high p.webp']],
  ['data-whatever', 'https://example.org/x', ['attribute low https://example.org/x']],
  ['data-card', '/shop/red-shoes', ['attribute low /shop/red-shoes']],
  ['data-props', '{"id":3,"to":{"path":"/deep/route"},"mime":"text/html"}', ['attribute low /deep/route']],
  ['data-api-url', '/api/items', ['resource low /api/items']],
  ['data-ajax-url', '/blog/wp-admin/admin-ajax.php', ['resource low /blog/wp-admin/admin-ajax.php']],
  ['data-url', '/items/1/delete', ['resource low /items/1/delete']],
  ['data-id', '12', []],
  ['data-color', '/', []],
  ['data-type', 'text/html', []],
  ['data-date', '1/2', []],
  ['data-version', '1.2.3', []],
  ['data-regex', '/ab+c/g', []],
  ['data-target', '#modal', []],
  ['data-href', '#', []],
  ['data-href', 'javascript:void(0)', []],
  ['data-href', '/items/{{ id }}', []],
  ['data-url', '/users/:id', []],
  ['data-path', 'M0 0 L10 10', []],
  ['data-path', '/pets', ['attribute low /pets']],
  ['data-file-path', 'docs/guide.html', ['attribute low docs/guide.html']],
  ['data-background-iframe', 'https://example.org/slides', ['frame high https://example.org/slides']],
  ['data-background-image', '/b.png', ['resource high /b.png']],
  ['data-action', 'click->menu#open', []],
  ['data-lazy', 'true', []],
])('%s="%s" holds %j', (name, value, links) => {
  expect(read(name, value)).toEqual(links);
});

test.each<[string, string, readonly string[]]>([
  ['data-src', '/map', ['frame high /map']],
  ['data-src', 'map.html', ['frame high map.html']],
  ['data-lazy-src', 'https://example.org/embed/1', ['frame high https://example.org/embed/1']],
  ['data-cookieblock-src', '//example.org/embed/2', ['frame high //example.org/embed/2']],
  ['data-src', 'about:blank', []],
  ['data-poster', '/p.jpg', ['resource high /p.jpg']],
])('an iframe with %s="%s" holds %j', (name, value, links) => {
  const found = dataLinks('iframe', name, value);
  expect(found.map(({ href, confidence = 'high', kind }) => `${kind} ${confidence} ${href}`)).toEqual(links);
});

// Redmine: <form data-cm-url="/issues/context_menu">, which answers a script, and a reader with 404
test.each(['form', 'select', 'textarea'])(
  'what %s holds is for its script, and nobody clicks it: speculative',
  (element) => {
    const low = { kind: 'attribute', confidence: 'low' };
    expect(dataLinks(element, 'data-cm-url', '/issues/menu')).toMatchObject([{ ...low, href: '/issues/menu' }]);
    expect(dataLinks(element, 'data-href', '/a')).toMatchObject([{ ...low, href: '/a' }]);
  },
);

// Stencil: <script data-resources-url="/build/">, the folder of its files
test.each(['script', 'link', 'meta', 'style', 'template'])('%s is never shown: its data is speculative', (element) => {
  expect(dataLinks(element, 'data-resources-url', '/build/')).toMatchObject([{ href: '/build/', confidence: 'low' }]);
});

test.each(['button', 'input', 'option', 'tr'])('%s may be clicked', (element) => {
  expect(dataLinks(element, 'data-href', '/a').map(({ confidence = 'high' }) => confidence)).toEqual(['high']);
});

test.each(['body', 'html'])('what %s holds is data of the whole page, which nobody clicks: speculative', (element) => {
  const low = { kind: 'attribute', confidence: 'low' };
  expect(dataLinks(element, 'data-page', '/guide/custom.md')).toMatchObject([{ ...low, href: '/guide/custom.md' }]);
  expect(dataLinks(element, 'data-url', '/shop')).toMatchObject([{ ...low, href: '/shop' }]);
});
