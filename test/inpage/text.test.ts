/** The text of a page is what a reader sees, wherever the page has been scrolled to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureServer } from '../render/fixture-server.ts';
import { openBench, type Bench } from '../render/render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const SECTION = (number: number): string => `<section><h2>Head ${number}</h2>
  <p>Some <b>bold</b> words<br>on two lines</p><ul><li>first</li><li>second</li></ul><div>a <a href=/x>link</a></div>
  <span hidden>hidden</span><div style="visibility:hidden">unseen <i style="visibility:visible">seen</i></div>
  <div style="content-visibility:hidden">kept back</div><style>p{margin:0}</style></section>`;
const page = (style: string): string => `<!doctype html><title>t</title><style>${style}</style>
  <body><script>1</script><header><h1>Top</h1> <a href=/one>one</a> <a href=/two>two</a></header>
  <main>${Array.from({ length: 30 }, (_, number) => SECTION(number)).join('')}</main><footer>The <i>end</i></footer>`;

test('parts that are not laid out because they are out of view have the text that they would show', async () => {
  site.add({
    '/drawn': page('section{height:500px}'),
    '/skipped': page('section{height:500px;content-visibility:auto}'),
    '/nested': page('section,main,ul{content-visibility:auto}section{height:500px}'),
  });
  const { text } = await bench.capture(site.url('/drawn'));
  expect(text).toContain('Head 0\n\nSome bold words\non two lines\n\nfirst\nsecond\na link\nseen\nHead 1\n');
  for (const path of ['/skipped', '/nested']) expect((await bench.capture(site.url(path))).text).toBe(text);
});

test('only what is skipped is put together anew, also in a long page', async () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `<p>row ${row}</p>`).join('');
  site.add({
    '/long': `<!doctype html><title>t</title>${rows}<div style="content-visibility:auto">${SECTION(1)}</div>`,
    '/hidden': `<!doctype html><title>t</title><p>shown</p><div style="display:none">${SECTION(1)}</div>`,
  });
  const { text } = await bench.capture(site.url('/long'));
  expect(text).toMatch(/^row 0\n\nrow 1\n[^]*row 2999\n\nHead 1\n/);
  expect((await bench.capture(site.url('/hidden'))).text).toBe('shown');
});

test('a page of a stranger nests as deep, and leaves as many blanks, as it likes', async () => {
  site.add({
    '/deep': `<!doctype html><title>t</title><body><script>
      let place = document.body
      for (let level = 0; level < 200; level++) {
        const next = document.createElement('div')
        next.style.contentVisibility = 'auto'
        place = place.appendChild(next)
      }
      place.textContent = 'deepest'
      document.body.insertAdjacentHTML('afterbegin', '<p>first</p>')
    </script>`,
    '/blanks': `<!doctype html><title>t</title><p>first</p><pre style="content-visibility:auto;margin-top:3000px">${' '.repeat(300_000)}end</pre>`,
  });
  for (const path of ['/deep', '/blanks']) expect((await bench.capture(site.url(path))).text).toMatch(/^first(?:\n|$)/);
});

/** Gives each element a shadow tree out of the template that stands in it, and so within that tree. */
const attach = (mode: 'open' | 'closed'): string => `<script>
  const attach = (tree) => {
    for (const template of tree.querySelectorAll('template')) {
      const root = template.parentNode.attachShadow({ mode: '${mode}' })
      root.append(template.content)
      template.remove()
      attach(root)
    }
  }
  attach(document)
</script>`;

/** Text of a card; in a shadow tree, or as plain elements. */
const CARD = {
  shadow: `<x-card><template><style>p{color:red}</style><h1><slot name=head></slot></h1><p>Shadow <i>words</i></p>
    <div hidden>hidden</div><x-row><slot></slot></x-row><slot name=foot>no foot</slot><svg><text y=9>drawn</text></svg></template>
    <b slot=head>Light head</b><p>given</p><p slot=nowhere>never shown</p></x-card>`,
  plain: `<x-card><h1><b>Light head</b></h1><p>Shadow <i>words</i></p><x-row><p>given</p></x-row>no foot<svg><text y=9>drawn</text></svg></x-card>`,
};

test('the text of shadow trees stands where readers see it, and what has no place there is left out', async () => {
  const around = (card: string): string => `<!doctype html><title>t</title><p>before</p>${card}<p>after</p>`;
  site.add({
    '/plain': around(`<main>${CARD.plain}</main>`),
    '/shadow': around(`<x-out><template><main><slot></slot></main></template>${CARD.shadow}</x-out>`) + attach('open'),
  });
  const plain = await bench.capture(site.url('/plain'));
  const shadow = await bench.capture(site.url('/shadow'));
  expect(shadow.text).toBe(plain.text);
  expect(shadow.h1).toEqual(['Light head']);
});

test('the text of closed shadow trees is read as that of open ones', async () => {
  const nested = `<x-out><template><h1>Closed</h1><x-card><template><p>card within <slot></slot></p></template>given</x-card></template></x-out>`;
  site.add({ '/closed': `<!doctype html><title>t</title><p>before</p>${nested}${attach('closed')}` });
  const page = await bench.capture(site.url('/closed'));
  expect(page.text).toBe('before\n\nClosed\n\ncard within given');
  expect(page.h1).toEqual(['Closed']);
  expect(page.html).toContain('<template shadowrootmode="closed"><h1>Closed</h1>');
  expect(page.foundLinks).toEqual([]);
});
