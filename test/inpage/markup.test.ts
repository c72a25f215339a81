import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/model/page.ts';
import { FixtureServer } from '../render/fixture-server.ts';
import { openBench, paths, type Bench } from '../render/render-bench.ts';

let site: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  site = await FixtureServer.open({});
  bench = await openBench({
    workers: 1,
    explore: 'none',
    selectLinks: [
      { selector: 'li.product', attribute: 'data-key' },
      { selector: 'x-item > b', attribute: 'ref' },
    ],
  });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const words = (page: Page): readonly string[] =>
  page.foundLinks.map(({ href, kind, context, confidence }) => `${confidence} ${kind} ${context} ${href}`);

describe('markup that is asleep', () => {
  test('noscript, templates and lazy documents are read, and nothing of them is loaded', async () => {
    site.add({
      '/asleep': `<!doctype html><meta http-equiv=content-security-policy content="require-trusted-types-for 'script'"><title>t</title>
      <noscript><a href=/in-noscript>n</a><img src=/noscript.png><link rel=stylesheet href=/noscript.css><iframe src=/noscript-frame></iframe></noscript>
      <template><a href=/in-template>t</a><img src=/template.png><a href="/{{place}}">p</a></template>
      <div style="height:30000px"></div><iframe loading=lazy srcdoc="<a href=/in-lazy>l</a>"></iframe>`,
    });
    const page = await bench.capture(site.url('/asleep'));
    expect(page.problems).toMatchObject({ console: 0 });
    expect(words(page)).toEqual([
      'high frame noscript:iframe/@src /noscript-frame',
      'high anchor noscript:a/@href /in-noscript',
      'high resource noscript:img/@src /noscript.png',
      'high link-element noscript:link/@href /noscript.css',
      'low anchor template:a/@href /in-template',
      'low resource template:img/@src /template.png',
      // the frame may be near enough to load or not: its link is found once in either case
      expect.stringMatching(/^high anchor (?:srcdoc:)?a\/@href \/in-lazy$/),
    ]);
    expect(site.paths().filter((path) => /noscript|template/.test(path))).toEqual([]);
  });
});

describe('links that are there for a while', () => {
  test('the places of a template that an engine takes out and fills in are none', async () => {
    // as AngularJS does it once the document is parsed: ng-repeat leaves a comment, and an address is filled in
    site.add({
      '/filled': `<!doctype html><title>t</title><ul><li id=row><a href="/item/{{item.id}}">i</a></li></ul><a id=one href="{{home}}">h</a>
      <a id=two href=/before>b</a><script>addEventListener('DOMContentLoaded',()=>{
      row.replaceWith(document.createComment('ngRepeat: item in items'));one.href='/home';two.href='/after'})</script>`,
    });
    expect(paths(await bench.capture(site.url('/filled')))).toEqual(['/after', '/before', '/home']);
  });

  test('an address that a script completes when its data is there is none without them', async () => {
    // as AngularJS and Vue write them: `/phones/{{phone.id}}/reviews`, `'/users/' + user.id`
    site.add({
      '/completed': `<!doctype html><title>t</title><main></main><script>addEventListener('load',()=>{
      const made=(before,after)=>{const link=document.createElement('a');link.setAttribute('href',before);
      document.querySelector('main').append(link);setTimeout(()=>link.setAttribute('href',after),20)};
      made('/phones//reviews','/phones/xoom/reviews');made('/users/undefined','/users/5');made('/items/','/items/5');
      made('/users/null/posts/undefined','/users/5/posts/7');made('/a//b','/other')})</script>`,
    });
    expect(words(await bench.capture(site.url('/completed'))).filter((each) => each.includes(' a/@href '))).toEqual([
      'high anchor a/@href /phones/xoom/reviews',
      'high anchor a/@href /users/5',
      'high anchor a/@href /items/5',
      'high anchor a/@href /users/5/posts/7',
      'high anchor a/@href /other',
      'low anchor a/@href /items/',
      'high anchor a/@href /a//b',
    ]);
  });

  test('what a script removed, replaced or led elsewhere is kept', async () => {
    site.add({
      '/removed': `<!doctype html><title>t</title><div id=one><a href=/gone rel=nofollow>gone</a></div><a id=two href=/before>x</a>
      <div id=three><a href=/moved>m</a></div><div id=four></div><form id=five action=/sent></form><script>
      one.remove();setTimeout(()=>{two.href='/after';four.append(three);five.remove();
      document.body.insertAdjacentHTML('beforeend','<p id=six><a href=/late>l</a></p>');setTimeout(()=>six.remove(),20)},20)</script>`,
    });
    const page = await bench.capture(site.url('/removed'));
    // a link that the document's own script removes during parsing is only in the markup bytes
    expect(paths(page)).toEqual(['/after', '/before', '/gone', '/late', '/moved', '/sent']);
    expect(page.foundLinks.find(({ href }) => href === '/gone')).toMatchObject({
      context: 'dropped markup',
      confidence: 'low',
      rel: ['nofollow'],
    });
    expect(page.foundLinks.find(({ href }) => href === '/late')?.text).toBe('l');
  });

  test('what a script puts in and takes out again in one go is speculative', async () => {
    // as jQuery 1.10 tries a browser: https://code.jquery.com/jquery-1.10.2.js, jQuery.support
    site.add({
      '/tried': `<!doctype html><title>t</title><div id=old><a href=/seen>s</a></div><p id=slow></p><script>
      addEventListener('load',()=>{const box=document.createElement('div'),inner=document.createElement('div');
      inner.innerHTML="<table></table><a href='/a'>a</a>";document.body.appendChild(box).appendChild(inner);
      inner.innerHTML='<table></table>';box.remove();
      const made=document.createElement('a');made.href='/draft';slow.append(made);made.href='/final';
      const wrap=document.createElement('div');document.body.append(wrap);wrap.append(old);wrap.innerHTML='';
      slow.insertAdjacentHTML('beforeend','<a href=/twice>t</a>');slow.lastChild.remove();
      slow.insertAdjacentHTML('beforeend','<a href=/twice>t</a>');setTimeout(()=>slow.lastChild.remove(),20)})</script>`,
    });
    const page = await bench.capture(site.url('/tried'));
    expect(words(page).filter((each) => each.includes(' a/@href '))).toEqual([
      'high anchor a/@href /final',
      'low anchor a/@href /a',
      'low anchor a/@href /draft',
      'high anchor a/@href /seen',
      'high anchor a/@href /twice',
    ]);
  });

  test('a link that a script sends by another method is none', async () => {
    site.add({
      '/sending': `<!doctype html><title>t</title><ul><li id=row><a href=/posts/1 data-turbo-method=delete>x</a></li></ul>
      <a href=/posts/2 data-method=post>y</a><script>addEventListener('load',()=>row.remove())</script>`,
    });
    const page = await bench.capture(site.url('/sending'));
    expect(words(page)).toEqual(['high form a/@href POST /posts/2']);
  });

  test('mail addresses that Cloudflare hides are none', async () => {
    // its script leads a link to the address, and puts the address in the place of a mere text
    site.add({
      '/hidden-mail': `<!doctype html><title>t</title><a id=one href="/cdn-cgi/l/email-protection#a1b2">Write</a>
      <a id=two href="/cdn-cgi/l/email-protection" class=__cf_email__ data-cfemail=a1b2>[email&#160;protected]</a>
      <script>addEventListener('DOMContentLoaded',()=>{one.href='mailto:a@example.org';two.replaceWith('a@example.org')})</script>`,
    });
    expect(words(await bench.capture(site.url('/hidden-mail')))).toEqual(['high anchor a/@href mailto:a@example.org']);
  });

  test('a page that replaces its rows without end keeps 1,000 of them', async () => {
    site.add({
      '/churn': `<!doctype html><title>t</title><ul id=list></ul><script>let n=0;addEventListener('load',()=>{
      for(let round=0;round<3000;round++)list.innerHTML='<li><a href=/row-'+(n++)+'>r</a></li>'})</script>`,
    });
    const page = await bench.capture(site.url('/churn'));
    const found = paths(page, 'anchor').length;
    expect(found).toBeGreaterThanOrEqual(1000);
    expect(found).toBeLessThan(1100);
  });
});

describe('what a user selects', () => {
  test('attributes of what matches a selector are links, in shadow trees too', async () => {
    site.add({
      '/selected': `<!doctype html><title>t</title><ul><li class=product data-key=products/7>s</li><li data-key=products/8>n</li></ul>
      <div><template shadowrootmode=open><x-item><b ref=deep>d</b></x-item></template></div>`,
    });
    const page = await bench.capture(site.url('/selected'));
    expect(words(page)).toEqual([
      'high attribute select:li.product@data-key products/7',
      'high attribute select:x-item > b@ref deep',
    ]);
  });
});

describe('a large page', () => {
  test('15,000 pictures push no link out, and all are counted', async () => {
    site.add({
      '/pictures': (_request, response) => {
        response.setHeader('content-type', 'text/html');
        const pictures = Array.from({ length: 15_000 }, (_, n) => `<img loading=lazy data-src=/p${n}.png>`).join('');
        response.end(`<!doctype html><title>t</title><a href=/first>f</a>${pictures}<a href=/last>l</a>`);
      },
    });
    const page = await bench.capture(site.url('/pictures'));
    expect(page.foundLinks).toHaveLength(10_000);
    expect(paths(page, 'anchor')).toEqual(['/first', '/last']);
    expect(page.foundLinksTotal).toBe(15_002);
  });

  test('a link that stands there 30,000 times is one found link, called by its first words', async () => {
    site.add({
      '/same': `<!doctype html><title>t</title><a href=/same-link><img src="data:,"></a>${'<a href=/same-link>x</a>'.repeat(30_000)}`,
    });
    const page = await bench.capture(site.url('/same'));
    expect(page.foundLinks.map(({ href, text }) => [href, text])).toEqual([['/same-link', 'x']]);
    expect(page.foundLinksTotal).toBe(1);
  });

  test('a thousand shadow trees within each other are read, and a closed one among many elements is found', async () => {
    site.add({
      '/deep': `<!doctype html><title>t</title><div id=top></div><script>let at=top_=document.getElementById('top');
      for(let n=0;n<1000;n++){const root=at.attachShadow({mode:'open'});root.innerHTML='<a href=/level-'+n+'>l</a><div></div>';at=root.querySelector('div')}
      at.attachShadow({mode:'closed'}).innerHTML='<a href=/closed>c</a>'</script>`,
    });
    const page = await bench.capture(site.url('/deep'));
    expect(paths(page)).toContain('/level-999');
    expect(paths(page)).toContain('/closed');
    expect(paths(page)).toHaveLength(1001);
  });

  test('an attribute of a megabyte and 20,000 attributes are no hindrance', async () => {
    site.add({
      '/attributes': `<!doctype html><title>t</title><a href="/long?${'x'.repeat(1_000_000)}">l</a><div style="${'a'.repeat(1_000_000)}"
      ${Array.from({ length: 20_000 }, (_, n) => `data-a${n}=${n}`).join(' ')}></div><a href=/short>s</a>`,
    });
    expect(paths(await bench.capture(site.url('/attributes')))).toContain('/short');
  });
});

describe('a page that tampers', () => {
  test('elements named like properties, and replaced built-ins, hide nothing', async () => {
    const names = [
      'getAttributeNames',
      'getAttribute',
      'attributes',
      'shadowRoot',
      'content',
      'matches',
      'closest',
      'isConnected',
      'localName',
      'namespaceURI',
      'textContent',
    ];
    site.add({
      '/named': `<!doctype html><title>t</title><form id=f action=/form data-href=/form-data>${names.map((name) => `<input name=${name}>`).join('')}</form>
      ${['styleSheets', 'adoptedStyleSheets', 'createNodeIterator', 'readyState', 'documentElement'].map((name) => `<img name=${name} alt="">`).join('')}
      <style>p{background:url(/sheet.png)}</style><a href=/real>http://127.0.0.1/text</a><template><a href=/template>t</a></template><script>
      Element.prototype.getAttributeNames=()=>[];Element.prototype.attachInternals=()=>{throw 1};DOMParser.prototype.parseFromString=()=>null;
      Object.defineProperty(Element.prototype,'shadowRoot',{get(){throw 1}});MutationObserver=null;WeakMap=null;Map=null;
      Object.prototype.kind='fake';Object.prototype.resolved='http://evil.test/';Object.prototype.confidence='low';Array.prototype.map=()=>[];
      setTimeout(()=>f.remove(),30)</script>`,
    });
    const page = await bench.capture(site.url('/named'));
    expect(words(page)).toEqual([
      'high anchor a/@href /real',
      'low text text http://127.0.0.1/text',
      'low anchor template:a/@href /template',
      'high css style url() /sheet.png',
      'low script literal http://evil.test/',
      'high form form/@action /form',
    ]);
    expect(page.foundLinks.filter(({ resolved }) => resolved !== null)).toEqual([]);
  });
});

test('what a comment holds is a page only where it may be one: not what acts, nor a file of pages', async () => {
  site.add({
    '/comments': `<!doctype html><title>t</title><!--[if lt IE 9]><script src="/js/html5shiv.js"></script><![endif]-->
      <!-- <a href="/old">old</a> <a href="/items/5/delete">x</a> --><div id=host></div>
      <script>document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML = '<!-- <img src="/closed.png"> -->';</script>`,
  });
  const page = await bench.capture(site.url('/comments'));
  expect(words(page)).toEqual([
    'low resource comment /js/html5shiv.js',
    'low text comment /old',
    'low resource comment /items/5/delete',
    'low resource comment /closed.png',
  ]);
});

test('a button sends the form that its attribute names, wherever it stands', async () => {
  const forms = `<form id=save method=post></form><button form=save formaction=/archive-ROOT></button>
    <form method=post><input type=submit form=find formaction=/find-ROOT></form><form id=find></form>`;
  site.add({
    '/owners': `<!doctype html><title>t</title>${forms}<div id=open></div><div id=shut></div>
      <script>for (const [id, mode] of [['open', 'open'], ['shut', 'closed']]) document.getElementById(id).attachShadow({ mode })
        .innerHTML = ${JSON.stringify(forms)}.replaceAll('ROOT', mode);</script>`,
  });
  const page = await bench.capture(site.url('/owners'));
  expect(words(page)).toEqual(
    ['ROOT', 'open', 'closed'].flatMap((root) => [
      `high form button/@formaction POST /archive-${root}`,
      `high form input/@formaction /find-${root}`,
    ]),
  );
});
