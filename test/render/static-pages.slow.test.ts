/** Compares a document read without a browser with the same one in a browser: a page classed as inert must be the same in both. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { FetchedDocument } from '../../src/core/answers/fetched-document.ts';
import { answerHead } from '../../src/core/answers/judge-answer.ts';
import { compareRendering } from '../../src/core/page-clusters/render-comparison.ts';
import { readStatic, type StaticReading } from '../../src/fetch/static/static-page.ts';
import type { Page } from '../../src/model/page.ts';
import { processorTime } from '../support/processor-time.ts';
import { openBench, visitOf, type Bench } from './render-bench.ts';

const SITES = join(import.meta.dirname, '../../fixtures/sites');
const ADDRESS = 'http://127.0.0.1:9/dir/page.html';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ workers: 2 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

function documentOf(body: string | Uint8Array, type = 'text/html; charset=utf-8'): FetchedDocument {
  const now = systemClock.monotonic();
  return {
    head: answerHead(200, [{ name: 'Content-Type', value: type }]),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    truncated: null,
    startedAt: systemClock.now(),
    started: now,
    answered: now,
  };
}

function read(document: FetchedDocument): StaticReading {
  return readStatic({ visit: visitOf(ADDRESS), document, ended: systemClock.monotonic() });
}

async function rendered(document: FetchedDocument): Promise<Page> {
  const outcome = await bench.renderer.renderDocument(visitOf(ADDRESS), document, new AbortController().signal);
  if (outcome.kind !== 'captured') throw new Error(`not captured: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

/** All recorded facts of links. */
function links({ foundLinks }: Page): readonly string[] {
  return foundLinks
    .map(({ kind, context, href, text, rel, confidence, frame, base }) =>
      JSON.stringify({ kind, context, href, text, rel, confidence, frame, base }),
    )
    .toSorted();
}

function facts(page: Page): unknown {
  const { finalUrl, title, description, canonical, lang, h1, robots, bytes } = page;
  return { finalUrl, title, description, canonical, lang, h1, robots, bytes };
}

const words = ({ text }: Page): string => (text ?? '').split(/\s+/).join(' ').trim();

/** HTML that a browser parses without repair. */
const REGULAR: readonly (readonly [what: string, html: string])[] = [
  [
    'anchors, with and without words',
    '<a href=a>one</a><a href="b" rel="Next nofollow"><img src=i.png alt=pic></a><a href>x</a><a>y</a>',
  ],
  ['a base', '<head><base href="/other/"><base href="/third/"></head><a href=a>a</a>'],
  ['optional ends', '<ul><li><a href=a>a</a><li><a href=b>b</a></ul><p>one<p>two<dl><dt>t<dd>d<dt>u</dl>'],
  ['a table', '<table><tr><td><a href=a>a</a><td>x<tr><td>y</table>'],
  ['a template', '<template><a href=a>a</a><template><a href="{{b}}">b</a></template></template>'],
  ['a noscript', '<noscript><a href=a>a</a><img src=pixel.gif></noscript><a href=b>b</a>'],
  [
    'raw text',
    '<title><a href=no></title><textarea><a href=no></textarea><style>a::before{content:"<a href=no>"}</style><xmp><a href=no></xmp>',
  ],
  ['comments', '<!-- <a href="/old">old</a> --><!-- http://example.org/x --><a href=a>a</a>'],
  [
    'a drawing',
    '<svg><a href=a><text>in</text></a><a xlink:href=b>two</a><title>no title</title><use href="#x"/></svg><title>title</title>',
  ],
  ['a formula', '<math><mn href=m>1</mn><mtext><a href=a>a</a></mtext></math>'],
  [
    'pictures',
    '<img src=a.png srcset="b.png 1x, c.png 2x" longdesc=d><picture><source srcset="e.png"></picture><video poster=f.png src=g.mp4></video>',
  ],
  [
    'forms',
    '<form action=/s><input name=q><button formaction=/t>go</button></form><form method=post action=/p></form>',
  ],
  [
    'meta',
    '<meta name=Description content=" a  b "><meta name=ROBOTS content="NoIndex, follow"><meta property="og:url" content="https://example.org/og"><link rel=canonical href=/c>',
  ],
  ['entities', '<a href="a?x=1&amp;y=2&copy=3&lt;">&eacute;&#8364;&nbsp;x</a><a href=&#x2f;b>b</a>'],
  [
    'attributes written twice, without quotes, in capitals',
    '<A HREF=one HREF=two Rel=A>x</A><a title=">" href=\'q"q\'>y</a>',
  ],
  [
    'data attributes',
    '<div data-href="/d" data-lazy-src=x.png data-state=\'{"u":"/in/json"}\'></div><div data-odd="https://example.org/y"></div>',
  ],
  [
    'JSON',
    '<script type="application/ld+json">{"@type":"Thing","url":"https://example.org/thing","image":"/i.png"}</script><script type=application/json>{"a":"/state/x"}</script>',
  ],
  [
    'texts',
    '<p>see https://example.org/a, (http://example.org/b) and <a href="https://example.org/c">https://example.org/c</a>',
  ],
  [
    'text that is hidden',
    '<p hidden>no</p><p>yes<br>line</p><div style="display: none">no</div><dialog>no</dialog><details open><summary>s</summary>in</details>',
  ],
  ['breaks and spaces', '<h1>  A\n <b>b</b>c </h1><pre>  x\n  y</pre><p>a<span> b </span> c</p>d<div>e</div>f'],
  ['no elements at all', 'just text'],
  ['nothing', ''],
  ['ends that were never opened', '</div><a href=a>a</a></p></span>b'],
  ['a foreign end of line', '<a href="a\r\nb">x\r\ny</a>'],
];

describe('a document that holds nothing to run', () => {
  test.each(REGULAR)('is the same without a browser: %s', async (_what, html) => {
    const document = documentOf(`<!doctype html>${html}`);
    const plain = read(document);
    expect(plain).toMatchObject({ scriptFree: true, doubtful: false });
    const page = await rendered(document);
    expect(links(plain.page)).toEqual(links(page));
    expect(facts(plain.page)).toEqual(facts(page));
    expect(words(plain.page)).toBe(words(page));
  });

  test('is the same in each page of the fixtures that is one', async () => {
    const files = (await readdir(SITES, { recursive: true })).filter(
      (file) => /\.html?$/.test(file) && !file.startsWith('links-'),
    );
    const different: string[] = [];
    let scriptFree = 0;
    for (const file of files) {
      const document = documentOf(await readFile(join(SITES, file)), 'text/html');
      const plain = read(document);
      if (!plain.scriptFree || plain.doubtful) continue;
      scriptFree += 1;
      const page = await rendered(document);
      const comparison = compareRendering(page, plain.page, { namesUnread: false });
      if (
        comparison.kind === 'differs' ||
        comparison.added.length + comparison.code.length > 0 ||
        links(plain.page).join() !== links(page).join()
      )
        different.push(`${file}: ${JSON.stringify(comparison).slice(0, 500)}`);
    }
    expect(different).toEqual([]);
    expect(scriptFree).toBeGreaterThan(20);
  });

  test('is the same whatever the markup', async () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'p',
      'div',
      'ul',
      'li',
      'table',
      'tr',
      'td',
      'span',
      'h1',
      'select',
      'option',
      'svg',
      'em',
      'form',
      'button',
      'dl',
      'dd',
    );
    const piece = fc.oneof(
      { weight: 4, arbitrary: name.map((each) => `<${each}${each === 'a' ? ' href=/x' : ''}>`) },
      { weight: 4, arbitrary: name.map((each) => `</${each}>`) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          'word ',
          '<br>',
          '<img src=i.png>',
          '<hr>',
          '<!-- c -->',
          '<a href=/y>y</a>',
          '<p>x</p>',
        ),
      },
    );
    const seen: { readonly html: string; readonly plain: StaticReading }[] = [];
    for (const pieces of fc.sample(fc.array(piece, { maxLength: 12 }), { numRuns: 400, seed: 7 })) {
      const html = `<!doctype html><body>${pieces.join('')}`;
      const plain = read(documentOf(html));
      if (plain.scriptFree) seen.push({ html, plain });
    }
    expect(seen.length).toBeGreaterThan(40);
    const different: string[] = [];
    for (const { html, plain } of seen.slice(0, 120)) {
      const page = await rendered(documentOf(html));
      if (links(plain.page).join() !== links(page).join()) different.push(html);
    }
    expect(different).toEqual([]);
  });
});

describe('a document is not called inert', () => {
  test.each([
    ['a script', '<script>1</script>'],
    ['a script of elsewhere', '<script src=a.js></script>'],
    ['a handler', '<body onload="go()">'],
    ['a javascript: URL', '<a href="javascript:go()">x</a>'],
    ['a frame', '<iframe src=/a></iframe>'],
    ['an object', '<object data=/a></object>'],
    ['a refresh', '<meta http-equiv=Refresh content="1; url=/a">'],
    ['a shadow tree', '<div><template shadowrootmode=open><a href=/a>a</a></template></div>'],
    ['a link in a link', '<a href=/a>a<b><a href=/b>b</a></b></a>'],
    ['content between the cells of a table', '<table><a href=/a>a</a><tr><td>x</table>'],
    ['ends in the wrong order', '<b><i>x</b>y</i>'],
    ['an end that is missing', '<p><a href=/a>a</p><p>b</p>'],
  ])('with %s', (_what, html) => {
    expect(read(documentOf(`<!doctype html>${html}`)).scriptFree).toBe(false);
  });

  test('with a Refresh header', () => {
    const document = documentOf('<p>x');
    const head = answerHead(200, [
      { name: 'content-type', value: 'text/html' },
      { name: 'Refresh', value: '3; url=/a' },
    ]);
    expect(read({ ...document, head }).scriptFree).toBe(false);
  });
});

describe('the characters of a document', () => {
  const cyrillic = Uint8Array.from([0xe9, 0xea]);
  const titled = (before: string, bytes: Uint8Array): Uint8Array =>
    Buffer.concat([Buffer.from(`${before}<title>`), bytes, Buffer.from('</title><a href=a>a</a>')]);

  test.each([
    ['by the header', titled('', cyrillic), 'text/html; charset=windows-1251'],
    ['by the document', titled('<meta charset=windows-1251>', cyrillic), 'text/html'],
    [
      'by its old word',
      titled('<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', cyrillic),
      'text/html',
    ],
    [
      'by its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<title>é</title>', 'utf16le')]),
      'text/html; charset=koi8-r',
    ],
    ['not by what it cannot be in', titled('<meta charset=utf-16>', Buffer.from('é')), 'text/html'],
    ['not by a comment', titled('<!-- <meta charset=koi8-r> -->', cyrillic), 'text/html'],
    [
      'with all syllables of Korean',
      titled('<meta charset=euc-kr>', Uint8Array.of(0x8c, 0x63, 0x93, 0x22, 0xc6, 0x52)),
      'text/html',
    ],
    [
      'with all signs of GBK',
      titled('<meta charset=gb2312>', Uint8Array.of(0xa2, 0xe3, 0x80, 0xa6, 0xd9)),
      'text/html',
    ],
    ['in UTF-8', titled('<meta charset="UTF-8">', Buffer.from('é')), 'text/html'],
  ])('are read %s', async (_how, body, type) => {
    const document = documentOf(body, type);
    expect(read(document).page.title).toBe((await rendered(document)).title);
  });

  test('leave a page to the browser where its queries are in another encoding', () => {
    const body = Buffer.concat([Buffer.from('<a href="?q='), cyrillic, Buffer.from('">x</a>')]);
    expect(read(documentOf(body, 'text/html; charset=windows-1251')).doubtful).toBe(true);
    expect(read(documentOf('<a href="?q=й">x</a>')).doubtful).toBe(false);
  });

  test('leave a page to the browser where nobody says what they are', () => {
    expect(read(documentOf(titled('', cyrillic), 'text/html')).doubtful).toBe(true);
    expect(read(documentOf('<title>plain</title>', 'text/html')).doubtful).toBe(false);
  });
});

test('a document that is made to be slow is read in time', () => {
  const started = processorTime();
  for (const html of ['<b>'.repeat(2_000_000), '<i></i>'.repeat(400_000), '<a href=x '.repeat(200_000)])
    read(documentOf(html));
  expect(read(documentOf('<b>'.repeat(1000))).doubtful).toBe(true);
  expect(processorTime() - started).toBeLessThan(10_000);
});
