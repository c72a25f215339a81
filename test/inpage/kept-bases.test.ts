/** The targets of references after a script has changed the page's address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/model/page.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { openBench, type Bench } from '../render/render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({ '/t/': '' });
  bench = await openBench({ workers: 1 });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Targets of links, each once: as the browser resolved them, else by reference and base. */
const leads = ({ foundLinks }: Page, ...kinds: readonly string[]): readonly string[] =>
  [
    ...new Set(
      foundLinks
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ href, base, resolved }) => new URL(resolved ?? href, base))
        .map(({ pathname, search }) => pathname + search),
    ),
  ].sort();

const PARTS = ['resource', 'css', 'link-element', 'frame', 'request'];

async function shown(path: string, html: string): Promise<Page> {
  site.add({ [path]: `<!doctype html><title>t</title>${html}` });
  return bench.capture(site.url(path));
}

describe('after history.pushState', () => {
  const push = `history.pushState(null, '', '/new/place/')`;

  test('what was loaded keeps the address that it was loaded by', async () => {
    const page = await shown(
      '/old/loaded',
      `<link rel=stylesheet href=s.css><link rel=canonical href=canon><style>p{background:url(in-style.png)}</style>
      <img src=i.png srcset="i2.png 2x"><p style="background:url(in-attribute.png)">p</p><video src=v.mp4 poster=p.png></video>
      <iframe src=framed></iframe><div><template shadowrootmode=open><img src=shadow.png></template></div>
      <script src=code.js></script><script>${push}</script>`,
    );
    expect(page.finalUrl).toBe(site.url('/new/place/'));
    expect(leads(page, ...PARTS)).toEqual(
      [
        'canon',
        'code.js',
        'framed',
        'i.png',
        'i2.png',
        'in-attribute.png',
        'in-style.png',
        'p.png',
        's.css',
        'shadow.png',
      ]
        .map((name) => `/old/${name}`)
        // a browser chooses the media file after the script has run
        .toSpliced(0, 0, '/new/place/v.mp4'),
    );
    expect(page.canonical).toBe(site.url('/old/canon'));
  });

  test('what comes later goes by the new address, and so does what names something else then', async () => {
    const page = await shown(
      '/old/later',
      `<img id=i src=first.png><script>${push};i.src='second.png';
      document.write('<img src=written.png><a href=written>w</a>');
      onload=()=>document.body.insertAdjacentHTML('beforeend','<img src=added.png><a href=added>a</a>')</script>`,
    );
    const requested = leads(page, 'request');
    expect(leads(page, 'resource').filter((path) => !requested.includes(path))).toEqual(
      ['added.png', 'second.png', 'written.png'].map((name) => `/new/place/${name}`),
    );
    expect(leads(page, 'anchor')).toEqual(['/new/place/added', '/new/place/written']);
  });

  test('links that nobody had read go where a browser goes now', async () => {
    const page = await shown(
      '/old/links',
      `<a href=a>a</a><a href="?q=1">q</a><a href="#f">f</a><script>${push}</script>`,
    );
    expect(leads(page, 'anchor').filter((path) => path !== '/new/place/')).toEqual(['/new/place/?q=1', '/new/place/a']);
  });

  test('a base element that stays keeps all where it was', async () => {
    const page = await shown(
      '/old/based',
      `<base href="/fixed/"><img src=i.png><a href=a>a</a><script>${push}</script>`,
    );
    expect(leads(page, 'anchor')).toEqual(['/fixed/a']);
    expect(leads(page, 'resource')).toEqual(['/fixed/', '/fixed/i.png']);
  });

  test('a page that changes its address a thousand times is read all the same', async () => {
    const page = await shown(
      '/old/many',
      `<img src=i.png><a href=a>a</a><script>for(let n=0;n<1000;n++)try{history.replaceState(null,'','/n'+n+'/x')}catch{}</script>`,
    );
    expect(leads(page, 'resource')).toEqual(['/old/i.png']);
    expect(leads(page, 'anchor')).toHaveLength(1);
  });
});

test('a query of a page in another encoding stays in that encoding, by the address that the page had', async () => {
  const html = `<!doctype html><title>t</title><img src="i?q=\xE9"><img src="?q=\xE9"><script>history.pushState(null,'','/new/place/')</script>`;
  site.add({
    '/old/cyrillic': (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=windows-1251');
      response.end(Buffer.from(html, 'latin1'));
    },
  });
  const page = await bench.capture(site.url('/old/cyrillic'));
  expect(leads(page, 'resource')).toEqual(['/old/cyrillic?q=%E9', '/old/i?q=%E9']);
});

test('a link that was read before a click changed the address is not found at another one after it', async () => {
  await using clicking = await openBench({ workers: 1, explore: 'click' });
  site.add({
    '/old/clicks': `<!doctype html><title>t</title><p><a href=read>read</a></p><button id=b>b</button><script>
      b.onclick = () => { history.pushState(null, '', '/new/place/'); document.body.insertAdjacentHTML('beforeend', '<a href=fresh>f</a>') }
    </script>`,
  });
  const page = await clicking.capture(site.url('/old/clicks'));
  expect(leads(page, 'anchor')).toEqual(['/new/place/fresh', '/old/read']);
  const read = page.foundLinks.filter(({ href }) => href === 'read');
  expect(read.map(({ stage }) => stage)).toEqual(['load']);
});
