import { describe, expect, test } from 'vitest';
import { epochMs, milliseconds } from '../../../../src/base/units.ts';
import { answerHead } from '../../../../src/core/answers/judge-answer.ts';
import { readStatic, withSubresources, type StaticReading } from '../../../../src/fetch/static/static-page.ts';
import type { Page } from '../../../../src/model/page.ts';
import { LINK_LIMIT } from '../../../../src/render/page-limits.ts';
import { visitOf } from '../../../support/page.ts';

function reading(body: string | Uint8Array, type: string): StaticReading {
  const document = {
    head: answerHead(200, [{ name: 'Content-Type', value: type }]),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    truncated: null,
    startedAt: epochMs(0),
    started: milliseconds(0),
    answered: milliseconds(0),
  };
  return readStatic({ visit: visitOf('https://example.org/dir/page'), document, ended: milliseconds(0) });
}

function read(body: string | Uint8Array, type: string): Page {
  return reading(body, type).page;
}

const hrefs = ({ foundLinks }: Page): readonly string[] => foundLinks.map(({ href, resolved }) => resolved ?? href);

test('the encoding is that of the Content-Type that counts', () => {
  const russian = Buffer.from('<title>\xcc\xe8\xf0</title>', 'latin1');
  expect(read(russian, 'application/octet-stream, text/html; charset=windows-1251').title).toBe('Мир');
  expect(read(russian, 'text/html; charset=windows-1251, text/html').title).toBe('Мир');
});

test.each([
  ['ugc nofollow', ['ugc', 'nofollow']],
  ['UGC,nofollow', ['ugc', 'nofollow']],
  [' nofollow, noopener , ', ['nofollow', 'noopener']],
])('the rel of a link is parted by blanks and commas: %j', (rel, tokens) => {
  expect(read(`<a href="/a" rel="${rel}">a</a>`, 'text/html').foundLinks[0]?.rel).toEqual(tokens);
});

describe('a path to which a handler of AngularJS goes', () => {
  const button = `<button ng-click="go('/users')">users</button><button onclick="location='/plain'">plain</button>`;

  test.each([
    ['#!/items', ['#!/users', '/plain', '#!/items']],
    ['#/items', ['#/users', '/plain', '#/items']],
    ['/items#part', ['/users', '/plain', '/items#part']],
  ])('is a route of the application: %s', (link, found) => {
    expect(hrefs(read(`${button}<a href="${link}">items</a>`, 'text/html'))).toEqual(found);
  });
});

describe('windows-1252', () => {
  test.each(['windows-1252', 'iso-8859-1', 'us-ascii'])('has its quotes, dashes and the euro: %s', (charset) => {
    const body = Buffer.from('<title>\x93Joe\x92s\x94 \x80 \xe9 \x81</title><a href="/a\x96b">a</a>', 'latin1');
    const page = read(body, `text/html; charset=${charset}`);
    expect([page.title, ...hrefs(page)]).toEqual(['“Joe’s” € é \u0081', '/a–b']);
  });
});

test('a page with all syllables of Korean is read with them', () => {
  const body = Buffer.from('<title>\x8cc\xb9\xe6\xb0\xa2\xc7\xcf</title><a href="/\x8cc?q=\x8cc">a</a>', 'latin1');
  const page = read(body, 'text/html; charset=euc-kr');
  expect([page.title, ...hrefs(page)]).toEqual(['똠방각하', 'https://example.org/%EB%98%A0?q=%8Cc']);
});

test('a page in Big5 with signs that only browsers know is left to them', () => {
  const page = (octets: string): boolean =>
    reading(Buffer.from(`<title>${octets}</title>`, 'latin1'), 'text/html; charset=big5').doubtful;
  expect([page('\xa4\xa4'), page('\xfa\x40')]).toEqual([false, true]);
});

describe('the query of a link', () => {
  test.each([
    ['windows-1251', [0xe9], '%E9'],
    ['koi8-r', [0xca], '%CA'],
    ['iso-8859-1', [0x80, 0xe9], '%80%E9'],
    ['shift_jis', [0x82, 0xa0, 0x83, 0x5c], '%82%A0%83\\'],
    ['euc-jp', [0xa4, 0xa2, 0x8e, 0xb1], '%A4%A2%8E%B1'],
    ['euc-kr', [0xc7, 0xd1], '%C7%D1'],
    ['gb2312', [0xd6, 0xd0, 0x80], '%D6%D0%80'],
    ['gb18030', [0xd6, 0xd0], '%D6%D0'],
    ['big5', [0xa4, 0xa4, 0xa4, 0x51], '%A4%A4%A4Q'],
    ['utf-8', [0xc3, 0xa9], 'é'],
  ])('is in the encoding of its document: %s', (charset, octets, query) => {
    const body = Buffer.concat([Buffer.from('<a href="/a?q='), Buffer.from(octets), Buffer.from('&amp;r=1#x">a</a>')]);
    const [href = ''] = hrefs(read(body, `text/html; charset=${charset}`));
    expect(href.replace('https://example.org', '')).toBe(`/a?q=${query}&r=1#x`);
  });

  test('has the number of a sign that the encoding lacks; the path is in UTF-8 always', () => {
    const body = '<base href="/b/"><a href="&#233;?&#26085;&#128512;">a</a>';
    expect(hrefs(read('<a href="?&#8364;">a</a>', 'text/html; charset=latin1'))).toEqual([
      'https://example.org/dir/page?%80',
    ]);
    expect(hrefs(read(body, 'text/html; charset=windows-1251'))).toContain(
      'https://example.org/b/%C3%A9?%26%2326085%3B%26%23128512%3B',
    );
  });
});

describe('XHTML', () => {
  const document = (rest: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><head>${rest}</html>`;

  test('has elements that end with their start tag', () => {
    const text = document(
      '<script src="/s.js"/><title>T</title></head><body><a id="x"/><textarea/><p>é<![CDATA[<b>]]></p><a href="/a">a</a></body>',
    );
    const page = read(text, 'application/xhtml+xml');
    expect(hrefs(page)).toEqual(['/s.js', '/a']);
    expect([page.title, page.text]).toEqual(['T', expect.stringContaining('é<b>')]);
    expect(hrefs(read(text, 'text/html; charset=utf-8'))).toEqual(['/s.js']);
  });

  test.each([
    ['in UTF-8', 'application/xhtml+xml', '', 'utf8'],
    ['in UTF-8, whatever a meta element says', 'application/xhtml+xml', '<meta charset="windows-1251"/>', 'utf8'],
    ['as the server says', 'Application/XHTML+XML; charset=iso-8859-1', '', 'latin1'],
  ] as const)('is %s', (_what, type, head, encoding) => {
    expect(hrefs(read(Buffer.from(document(`${head}</head><a href="/é">a</a>`), encoding), type))).toEqual(['/é']);
  });
});

describe('an XML declaration', () => {
  test.each([
    ['application/xhtml+xml', ''],
    ['text/html', ''],
    ['text/html', '<meta charset="iso-8859-2">'],
  ])('says the encoding of a document of the type %s with %j', (type, meta) => {
    const first = meta === '' ? '<?xml version="1.0" encoding="iso-8859-2"?>' : '<?xml encoding="utf-8"?>';
    const body = Buffer.concat([Buffer.from(`${first}<html><head>${meta}</head><a href="/`), Buffer.from([0xb1])]);
    expect(hrefs(read(Buffer.concat([body, Buffer.from('">a</a></html>')]), type))).toEqual(['/ą']);
  });
});

test('a declaration of the encoding far down in the head counts, one in the body does not', () => {
  const filler = `<script>${'x'.repeat(3000)}</script>`;
  const head = `<html><head>${filler}<meta charset="utf-8"><title>Bücher</title></head>`;
  const page = read(`${head}<body><a href="/bücher">a</a></body></html>`, 'text/html');
  expect([page.title, ...hrefs(page)]).toEqual(['Bücher', '/bücher']);
  const long = `<meta name="description" content="${'words '.repeat(300)}" charset="utf-8">`;
  expect(read(Buffer.from(`${long}<title>Bücher</title>`), 'text/html').title).toBe('Bücher');
  const late = read(`<html><head>${filler}</head><body><meta charset="utf-8"><h1>ü</h1></body></html>`, 'text/html');
  expect(late.h1).toEqual(['Ã¼']);
});

describe('pages with the same scripts are of one kind', () => {
  const kindOf = (markup: string): string | null =>
    reading(`<script src="/app.js"></script><p>${markup}</p>`, 'text/html; charset=utf-8').fingerprint;

  test.each([
    ['htmx', '<b>a</b>', '<b hx-get="/more">a</b>'],
    ['htmx, at once', '<b hx-get="/a" hx-trigger="click">a</b>', '<b hx-get="/b" hx-trigger="load delay:1s">a</b>'],
    ['Alpine', '<b>a</b>', '<b x-init="show()">a</b>'],
    ['Vue', '<b>a</b>', '<b v-for="one in all" :title="one">a</b>'],
    ['AngularJS', '<b>a</b>', '<b ng-include="place">a</b>'],
    ['Livewire', '<b>a</b>', '<b wire:init="load">a</b>'],
  ])(
    'unless only one of them has an attribute by which a framework loads or makes something: %s',
    (_what, one, other) => {
      expect(kindOf(one)).not.toBe(kindOf(other));
    },
  );

  test('whatever such attributes hold otherwise', () => {
    const button = (number: number): string => `<b hx-get="/more/${number}" hx-trigger="click" title="${number}">a</b>`;
    expect(kindOf(button(1))).toBe(kindOf(button(2)));
  });
});

test('what a comment holds is a page only where it may be one: not what acts, nor a file of pages', () => {
  const conditional =
    '<!--[if lt IE 9]><script src="/js/html5shiv.js"></script><link href="/css/ie8.css?v=2"><![endif]-->';
  const html = `${conditional}<!-- <a href="/old">old</a> <a href="/items/5/delete">x</a> https://example.org/user/logout -->`;
  const { foundLinks } = read(html, 'text/html');
  expect(foundLinks.map(({ kind, confidence, context, href }) => `${kind} ${confidence} ${context} ${href}`)).toEqual([
    'resource low comment /js/html5shiv.js',
    'resource low comment /css/ie8.css?v=2',
    'text low comment /old',
    'resource low comment /items/5/delete',
    'resource low comment https://example.org/user/logout',
  ]);
});

test('a button sends the form that its attribute names, wherever it stands', () => {
  const html = `<form id="save" method="post" action="/save"></form><form id="find" action="/find"></form>
    <button form="save" formaction="/items/5/archive">a</button><form method="post">
    <input type="submit" form="find" formaction="/find-elsewhere"><button form="none" formaction="/nowhere">b</button></form>`;
  expect(read(html, 'text/html').foundLinks.map(({ context, href }) => `${context} ${href}`)).toEqual([
    'form/@action POST /save',
    'form/@action /find',
    'button/@formaction POST /items/5/archive',
    'input/@formaction /find-elsewhere',
    'button/@formaction POST /nowhere',
  ]);
});

test('references that the parser drops are links of a page that has a link twice, too', () => {
  const page = read('<a href="/a">a</a><a href="/a">a</a><form action="/b"><form action="/c">', 'text/html');
  expect(hrefs(page)).toEqual(['/a', '/b', '/c']);
  expect(page.foundLinksTotal).toBe(3);
});

test('an index of more places than links are kept leads to each of its pages', () => {
  const places = Array.from({ length: LINK_LIMIT }, (_each, index) => `<a href="/a#p${index}">p</a>`).join('');
  const page = read(`${places}<a href="/b#q">b</a><a href="#/route">r</a><img src="/i.png">`, 'text/html');
  expect(page.foundLinks).toHaveLength(LINK_LIMIT);
  expect(hrefs(page).slice(-3)).toEqual([`/a#p${LINK_LIMIT - 3}`, '/b#q', '#/route']);
  expect(page.foundLinksTotal).toBe(LINK_LIMIT + 3);
  const more = page.foundLinks.slice(0, 1).map((link) => ({ ...link, href: '/c' }));
  expect(hrefs(withSubresources(page, more)).slice(-3)).toEqual(['/b#q', '#/route', '/c']);
});
