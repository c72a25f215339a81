import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadsToPage } from '../../src/core/links/page-link.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';
import { openBench, paths, type Bench } from '../render/render-bench.ts';

// frame control and a process for each site exclude each other (Chromium does not start with both)
describe.each([
  ['frames on demand, frames of all sites in one process', { frameControl: true }],
  ['frames by themselves, a process for each site', { frameControl: false, flags: ['--site-per-process'] }],
])('with %s', (_name, way) => {
  let site: FixtureServer;
  let bench: Bench;
  beforeAll(async () => {
    site = await FixtureServer.open({});
    bench = await openBench({ workers: 1 }, way);
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  describe('links of the light tree', () => {
    test('every kind is found with its context, text and rel', async () => {
      site.add({
        '/kinds': `<!doctype html><title>t</title><base href="/base/"><link rel="NEXT stylesheet" href="n.css">
        <meta http-equiv=refresh content="99; url='later'">
        <a href="a" rel="nofollow UGC">  An
          <b>anchor</b></a><a href="/pic"><img alt="picture" src="data:,"></a><a>no href</a><a href="mailto:x@y.z">m</a>
        <map><area href="area" alt="place"></map><form action="find"><input name=q></form><form method=post action="post"></form>
        <svg><a href="svg"><text>drawn</text></a><a xlink:href="xlink"><text>old</text></a></svg>`,
      });
      const page = await bench.capture(site.url('/kinds'));
      const seen = page.foundLinks.map(({ href, kind, context, text, rel }) => ({ href, kind, context, text, rel }));
      expect(seen).toEqual([
        { href: '/base/', kind: 'resource', context: 'base/@href', text: '', rel: [] },
        { href: 'n.css', kind: 'link-element', context: 'link/@href', text: '', rel: ['next', 'stylesheet'] },
        { href: 'later', kind: 'meta-refresh', context: 'meta/@content', text: '', rel: [] },
        { href: 'a', kind: 'anchor', context: 'a/@href', text: 'An anchor', rel: ['nofollow', 'ugc'] },
        { href: '/pic', kind: 'anchor', context: 'a/@href', text: 'picture', rel: [] },
        { href: 'mailto:x@y.z', kind: 'anchor', context: 'a/@href', text: 'm', rel: [] },
        { href: 'area', kind: 'area', context: 'area/@href', text: 'place', rel: [] },
        { href: 'find', kind: 'form', context: 'form/@action', text: '', rel: [] },
        { href: 'post', kind: 'form', context: 'form/@action POST', text: '', rel: [] },
        { href: 'svg', kind: 'anchor', context: 'svg:a/@href', text: 'drawn', rel: [] },
        { href: 'xlink', kind: 'anchor', context: 'svg:a/@xlink:href', text: 'old', rel: [] },
      ]);
      expect(new Set(page.foundLinks.map(({ base }) => base))).toEqual(new Set([site.url('/base/')]));
    });

    test('of the head of a WordPress page only its feed and its own addresses lead to pages', async () => {
      site.add({
        '/2024/post/': `<!doctype html><title>t</title><link rel="https://api.w.org/" href="/wp-json/">
        <link rel="alternate" title="JSON" type="application/json" href="/wp-json/wp/v2/posts/7">
        <link rel="alternate" title="oEmbed" type="application/json+oembed" href="/wp-json/oembed/1.0/embed?url=x">
        <link rel="alternate" title="oEmbed" type="text/xml+oembed" href="/wp-json/oembed/1.0/embed?url=x&format=xml">
        <link rel="EditURI" title="RSD" type="application/rsd+xml" href="/xmlrpc.php?rsd"><link rel="pingback" href="/xmlrpc.php">
        <link rel="wlwmanifest" type="application/wlwmanifest+xml" href="/wp-includes/wlwmanifest.xml">
        <link rel="alternate" title="Feed" type="application/rss+xml" href="/feed/"><link rel="canonical" href="/2024/post/">
        <link rel="shortlink" href="/?p=7"><link rel="alternate" hreflang="de" href="/de/">`,
      });
      const page = await bench.capture(site.url('/2024/post/'));
      const leading = page.foundLinks.filter(leadsToPage);
      expect(leading.map(({ href }) => href)).toEqual(['/feed/', '/2024/post/', '/?p=7', '/de/']);
      expect(page.foundLinks).toHaveLength(11);
    });

    test('of 12,000 links 10,000 are kept and all are counted', async () => {
      site.add({ '/many': Array.from({ length: 12_000 }, (_, n) => `<a href=/${n}>${n}</a>`).join(' ') });
      const page = await bench.capture(site.url('/many'));
      expect(page.foundLinks).toHaveLength(10_000);
      expect(page.foundLinksTotal).toBe(12_000);
    });
  });

  describe('links of a page in another encoding than UTF-8', () => {
    test('what leads elsewhere than its words says where the browser goes by it', async () => {
      // `\u0439` is 0xE9 in windows-1251
      const letter = '\xE9';
      site.add({
        '/cyrillic': (_request, response) => {
          response.setHeader('content-type', 'text/html; charset=windows-1251');
          const html = `<title>t</title><base href="/deep/"><a href="/find?q=${letter}">a</a><a href="/${letter}">path</a>
          <a href="/plain?q=1">p</a><a href="#${letter}">f</a><svg><a xlink:href="?svg=${letter}"><text>s</text></a></svg>
          <map><area href="?area=${letter}"></map><iframe src="/framed?q=${letter}"></iframe><form action="?form=${letter}">
          </form><link rel=next href="?link=${letter}"><meta http-equiv=refresh content="99; url=?meta=${letter}">
          <img name=characterSet><img name=createElementNS>
          <div><template shadowrootmode=open><a href="?open=${letter}">o</a></template></div>
          <div><template shadowrootmode=closed><a href="?closed=${letter}">c</a></template></div>`;
          response.end(Buffer.from(html, 'latin1'));
        },
        '/framed': '<a href="/in-utf-8?q=\u0439">u</a>',
      });
      const page = await bench.capture(site.url('/cyrillic'));
      const resolved = page.foundLinks.flatMap((link) => link.resolved?.replace(site.url(''), '') ?? []);
      const deep = ['area', 'closed', 'form', 'link', 'meta', 'open', 'svg'].map((name) => `/deep/?${name}=%E9`);
      expect(resolved.sort()).toEqual([...deep, '/find?q=%E9', '/framed?q=%E9']);
      expect(site.paths()).toContain('/framed?q=%E9');
      const hrefs = page.foundLinks
        .filter((link) => link.resolved === null && link.kind !== 'resource')
        .map(({ href }) => href);
      expect(hrefs.sort()).toEqual(['#\u0439', '/in-utf-8?q=\u0439', '/plain?q=1', '/\u0439']);
    });

    test('closed trees of frames are resolved by their own documents', async () => {
      const inEncoding =
        (charset: string): Route =>
        (_request, response) => {
          response.setHeader('content-type', `text/html; charset=${charset}`);
          response.end(
            Buffer.from('<div><template shadowrootmode=closed><a href="?q=\xE9">c</a></template></div>', 'latin1'),
          );
        };
      site.add({
        '/closed-frames': '<iframe src=/in-1252></iframe><iframe src=/in-koi8></iframe>',
        '/in-1252': inEncoding('windows-1252'),
        '/in-koi8': inEncoding('koi8-r'),
      });
      const page = await bench.capture(site.url('/closed-frames'));
      const seen = page.foundLinks
        .filter(({ kind }) => kind === 'anchor')
        .map(({ href, resolved }) => [href, resolved]);
      expect(seen).toEqual([
        ['?q=\xE9', site.url('/in-1252?q=%E9')],
        ['?q=\u0418', site.url('/in-koi8?q=%E9')],
      ]);
    });
  });

  describe('links of shadow trees', () => {
    test('open, closed, nested and declarative trees are read', async () => {
      site.add({
        '/shadow': `<!doctype html><div id=open></div><div id=closed></div>
        <div><template shadowrootmode=closed><a href=/declared-closed>dc</a></template></div>
        <div><template shadowrootmode=open><a href=/declared-open>do</a></template></div><script>
        const o=open_=document.getElementById('open').attachShadow({mode:'open'});o.innerHTML='<a href=/open>o</a><div></div>';
        const n=o.querySelector('div').attachShadow({mode:'closed'});n.innerHTML='<a href=/nested-closed>n <i>c</i></a><div></div>';
        n.querySelector('div').attachShadow({mode:'open'}).innerHTML='<a href=/deepest>d</a>';
        document.getElementById('closed').attachShadow({mode:'closed'}).innerHTML='<a href=/closed rel=nofollow>c</a>'</script>`,
      });
      const page = await bench.capture(site.url('/shadow'));
      expect(paths(page)).toEqual([
        '/closed',
        '/declared-closed',
        '/declared-open',
        '/deepest',
        '/nested-closed',
        '/open',
      ]);
      expect(page.foundLinks.find(({ href }) => href === '/nested-closed')?.text).toBe('n c');
      expect(page.html).toContain('shadowrootmode="open"');
    });
  });

  describe('links of frames', () => {
    test('frames of the same process, of another one, nested, srcdoc and written by script are read', async () => {
      site.add({
        '/frames': `<!doctype html><a href=/top>t</a><iframe src=/same></iframe><iframe src="${site.url('/other', 'localhost')}"></iframe>
        <iframe srcdoc="<a href=/srcdoc>s</a>"></iframe><iframe id=blank></iframe><script>
        document.getElementById('blank').contentDocument.write('<a href=/written>w</a>')</script>`,
        '/same': '<a href=/in-same>x</a>',
        '/other': `<a href=/in-other>x</a><iframe src=/inner></iframe><iframe src="${site.url('/back', '127.0.0.1')}"></iframe>`,
        '/inner': '<a href=/in-inner>x</a>',
        '/back': '<a href=/in-back>x</a>',
      });
      const page = await bench.capture(site.url('/frames'));
      expect(paths(page, 'anchor')).toEqual(
        ['/in-back', '/in-inner', '/in-other', '/in-same', '/srcdoc', '/top', '/written'].sort(),
      );
      expect(paths(page, 'frame')).toEqual(['/back', '/inner', '/other', '/same']);
      const frameOf = (path: string) => page.foundLinks.find(({ href }) => href === path)?.frame;
      expect(frameOf('/top')).toBeNull();
      expect(frameOf('/in-other')).toBe(site.url('/other', 'localhost'));
      expect(frameOf('/in-same')).toBe(site.url('/same'));
    });
  });

  describe('a page that tampers', () => {
    test('replaced built-ins and named elements change nothing', async () => {
      site.add({
        '/tamper': `<!doctype html><title>true</title><form name=documentElement></form><form name=body></form><img name=title>
        <form name=createTreeWalker action=/form><input name=action><input name=getAttribute><input name=method></form>
        <img name=querySelectorAll><h1>real</h1><a href=/real>real</a><script>
        Array.from=()=>['POLLUTED'];Document.prototype.querySelectorAll=()=>[];Element.prototype.getAttribute=()=>'/fake';
        JSON.stringify=()=>'{"polluted":1}';Array.prototype.toJSON=()=>[];Object.prototype.toJSON=()=>({});
        Array.prototype.push=()=>0;Object.prototype.href='/proto';history.pushState({},'','/state');
        Object.defineProperty(Document.prototype,'title',{get(){return 'LIE'}});</script>`,
      });
      const page = await bench.capture(site.url('/tamper'));
      expect(paths(page)).toEqual(['/form', '/real', '/state']);
      expect(page).toMatchObject({ title: 'true', h1: ['real'] });
      expect(page.html).toContain('/real');
      expect(page.text).toContain('real');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });
});
