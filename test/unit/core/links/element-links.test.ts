import { describe, expect, test } from 'vitest';
import { elementLinks, styleLinks, type MarkupElement } from '../../../../src/core/links/markup/element-links.ts';
import type { LinkNamespace } from '../../../../src/model/link-sources.ts';

function read(
  name: string,
  values: Readonly<Record<string, string>>,
  namespace: LinkNamespace = 'html',
): readonly string[] {
  const element: MarkupElement = {
    namespace,
    name,
    attributes: Object.keys(values),
    attribute: (key) => values[key] ?? null,
    words: () => '',
    formMethod: () => 'get',
  };
  return elementLinks(element).map(
    ({ kind, context, href, confidence }) => `${kind} ${context} ${href}${confidence === 'low' ? ' low' : ''}`,
  );
}

describe('attributes of what HTML does not know', () => {
  test.each<[string, Record<string, string>, readonly string[]]>([
    ['product-card', { details: '/card/details' }, ['attribute product-card/@details /card/details low']],
    ['blurb', { more: './more/all', kind: 'text/html' }, ['attribute blurb/@more ./more/all low']],
    [
      'x-a',
      { picture: 'a.png', page: 'about.html' },
      ['resource x-a/@picture a.png low', 'attribute x-a/@page about.html low'],
    ],
    ['x-a', { leave: '/logout' }, ['resource x-a/@leave /logout low']],
    [
      'x-a',
      { ratio: '16/9', size: '1/2', path: 'M0 0l1/2', icon: 'mdi/home', class: '/a/b', ':to': "'/a'", 'v-x': '/a' },
      [],
    ],
    ['x-a', { code: '/users/:id', glob: '/a/*', regex: '/^a/', tpl: '/a/{{id}}' }, []],
    ['div', { more: '/card/details' }, []],
    ['span', { title: '/card/details' }, []],
  ])('%s %j', (name, values, expected) => {
    expect(read(name, values)).toEqual(expected);
  });
});

describe('parameters of plug-ins', () => {
  test.each<[Record<string, string>, readonly string[]]>([
    [{ name: 'URL', value: '/a' }, ['resource param/@value /a']],
    [{ name: 'movie', value: 'film.swf.html' }, ['resource param/@value film.swf.html']],
    [{ name: 'other', value: '/a/b' }, ['resource param/@value /a/b low']],
    [{ name: 'quality', value: 'high' }, []],
    [{ name: 'src', value: '#' }, []],
    [{ name: 'type', value: 'text/html' }, []],
  ])('%j', (values, expected) => {
    expect(read('param', { value: values['value'] ?? '', name: values['name'] ?? '' })).toEqual(expected);
  });
});

describe('markup and policies in attributes', () => {
  test.each<[string, Record<string, string>, readonly string[]]>([
    ['div', { title: "<a href='/a'>x</a>" }, ['anchor div/@title a/@href /a low']],
    ['div', { 'data-content': '<a href="/a">x</a>' }, ['anchor div/@data-content a/@href /a low']],
    // as PHP writes JSON
    [
      'div',
      { 'data-settings': String.raw`{"label":{"html":"See <a href=\"\/a?b=1\">x<\/a>"},"n":["<a href='\/c'>"]}` },
      ['anchor div/@data-settings a/@href /a?b=1 low', 'anchor div/@data-settings a/@href /c low'],
    ],
    ['div', { 'data-content': '[x] <a href="/a">x</a>' }, ['anchor div/@data-content a/@href /a low']],
    ['meta', { name: 'copyright', content: '<img src="/a.png">' }, ['resource meta/@content img/@src /a.png low']],
    [
      'meta',
      { 'http-equiv': 'Content-Security-Policy', content: 'report-uri /a' },
      ['resource meta[content-security-policy]/report-uri /a'],
    ],
    ['meta', { name: 'description', content: 'report-uri /a' }, []],
    ['div', { class: "<a href='/a'>" }, []],
    ['div', { title: 'a < b > c href=/x' }, []],
  ])('%s %j', (name, values, expected) => {
    expect(read(name, values)).toEqual(expected);
  });
});

describe('routes of an element', () => {
  const routed = (values: Readonly<Record<string, string>>, base: string | null): readonly string[] =>
    elementLinks({
      namespace: 'html',
      name: 'a',
      attributes: Object.keys(values),
      attribute: (key) => values[key] ?? null,
      words: () => '',
      formMethod: () => 'get',
      base,
    }).map(({ href, resolved = '' }) => `${href} ${resolved}`.trim());
  const base = 'https://example.org/app/';

  test('lead to the base of the document, unless they name it already', () => {
    expect(routed({ routerlink: '/users' }, base)).toEqual(['/users https://example.org/app/users']);
    expect(routed({ routerlink: '/app/users' }, base)).toEqual(['/app/users']);
    expect(routed({ routerlink: '../users' }, base)).toEqual(['../users']);
    expect(routed({ routerlink: '/users' }, null)).toEqual(['/users']);
  });

  test('are none beside an address of the element itself', () => {
    expect(routed({ href: '/app/users', routerlink: '/users' }, base)).toEqual(['/app/users']);
    expect(routed({ href: '#/users', routerlink: '/users' }, base)).toEqual(['#/users']);
    expect(routed({ href: '#', routerlink: '/users' }, base)).toEqual(['#', '/users https://example.org/app/users']);
  });
});

describe('attributes that HTML defines as URLs', () => {
  test.each<[string, Record<string, string>, readonly string[]]>([
    ['a', { href: '/a', ping: '/p1 /p2' }, ['anchor a/@href /a', 'resource a/@ping /p1', 'resource a/@ping /p2']],
    ['a', { href: "javascript:location='/j'" }, ['script a/@href /j']],
    ['a', { href: 'javascript:void(0)' }, []],
    ['a', { href: '#', 'data-link': 'part.html' }, ['anchor a/@href #', 'attribute a/@data-link part.html']],
    ['a', { href: 'javascript:', 'data-link': 'part.html' }, ['attribute a/@data-link part.html']],
    [
      'a',
      { href: 'https://docs.example/part.html', 'data-link': 'part.html', 'data-href': '/other' },
      [
        'anchor a/@href https://docs.example/part.html',
        'attribute a/@data-link part.html low',
        'attribute a/@data-href /other',
      ],
    ],
    ['a', { href: '/cdn-cgi/l/email-protection#6e0f2e0c400d' }, ['anchor a/@href mailto:a@b.c']],
    ['a', { href: 'https://example.org/cdn-cgi/l/email-protection#6e0f2e0c400d' }, ['anchor a/@href mailto:a@b.c']],
    ['a', { href: '/cdn-cgi/l/email-protection', 'data-cfemail': '6e0f2e0c400d' }, []],
    ['a', { href: '/cdn-cgi/l/email-protection#top' }, []],
    ['a', { href: '/cdn-cgi/l/email-protection-guide' }, ['anchor a/@href /cdn-cgi/l/email-protection-guide']],
    ['area', { href: '/b' }, ['area area/@href /b']],
    ['a', { href: '/cdn-cgi/l/email-protection#a1b2c3' }, []],
    ['a', { href: 'https://example.org/cdn-cgi/l/email-protection' }, []],
    ['a', { href: '/cdn-cgi/l/email-protections' }, ['anchor a/@href /cdn-cgi/l/email-protections']],
    ['a', { href: '/posts/1', 'data-turbo-method': 'delete' }, ['form a/@href POST /posts/1']],
    ['a', { href: '/posts/1', 'data-method': ' POST ' }, ['form a/@href POST /posts/1']],
    ['a', { href: '/posts/1', 'up-method': 'put' }, ['form a/@href POST /posts/1']],
    [
      'a',
      { href: '/posts/1/vote', 'hx-post': '/posts/1/vote' },
      ['form a/@href POST /posts/1/vote', 'resource a/@hx-post /posts/1/vote'],
    ],
    [
      'a',
      { href: '/posts/1', 'data-hx-delete': '/posts/1' },
      ['form a/@href POST /posts/1', 'resource a/@data-hx-delete /posts/1'],
    ],
    ['a', { href: '/posts', 'hx-post': '/posts/1' }, ['anchor a/@href /posts', 'resource a/@hx-post /posts/1']],
    ['a', { href: '/posts/1', 'data-method': 'get' }, ['anchor a/@href /posts/1']],
    ['a', { href: '#', 'data-method': 'delete' }, ['anchor a/@href #']],
    ['button', { 'data-url': '/posts/5', 'data-method': 'DELETE' }, ['form button/@data-url POST /posts/5']],
    [
      'a',
      { href: '#', 'data-href': '/posts/5', 'data-turbo-method': 'patch' },
      ['anchor a/@href #', 'form a/@data-href POST /posts/5'],
    ],
    ['div', { 'up-href': '/posts/5', 'up-method': 'delete' }, ['form div/@up-href POST /posts/5']],
    ['button', { 'data-url': '/posts/5', 'data-method': 'get' }, ['attribute button/@data-url /posts/5']],
    ['img', { 'data-src': '/a.png', 'data-method': 'post' }, ['resource img/@data-src /a.png']],
    ['base', { href: '/base/' }, ['resource base/@href /base/']],
    ['link', { rel: 'next', href: '/n' }, ['link-element link/@href /n']],
    ['link', { rel: 'alternate', type: 'application/json', href: '/n' }, ['resource link/@href /n']],
    ['link', { rel: 'ALTERNATE', type: 'Text/XML+oEmbed; x=y', href: '/n' }, ['resource link/@href /n']],
    ['link', { rel: 'search', type: 'application/opensearchdescription+xml', href: '/n' }, ['resource link/@href /n']],
    ['link', { rel: 'alternate', type: 'application/activity+json', href: '/n' }, ['resource link/@href /n']],
    ['link', { rel: 'alternate', type: 'application/feed+json', href: '/n' }, ['link-element link/@href /n']],
    ['link', { rel: 'alternate', type: 'application/atom+xml', href: '/n' }, ['link-element link/@href /n']],
    ['link', { rel: 'manifest', type: 'application/manifest+json', href: '/n' }, ['link-element link/@href /n']],
    ['link', { itemprop: 'url', href: '/n' }, ['attribute link/@href /n']],
    ['link', { rel: 'preload', imagesrcset: 'a.png 1x' }, ['resource link/@imagesrcset a.png']],
    ['iframe', { src: '/f', longdesc: '/l' }, ['frame iframe/@src /f', 'attribute iframe/@longdesc /l']],
    ['iframe', { src: 'about:blank' }, []],
    [
      'img',
      { src: 'i.png', srcset: 'j.png 2x', lowsrc: 'k.png', dynsrc: 'l.avi', usemap: '#m' },
      [
        'resource img/@src i.png',
        'resource img/@srcset j.png',
        'resource img/@lowsrc k.png',
        'resource img/@dynsrc l.avi',
      ],
    ],
    ['img', { src: 'data:image/gif;base64,AAAA' }, []],
    [
      'object',
      { data: 'movie.swf', codebase: '/c/', archive: 'a.jar, b.jar' },
      [
        'resource object/@data movie.swf',
        'resource object/@codebase /c/',
        'resource object/@archive a.jar',
        'resource object/@archive b.jar',
      ],
    ],
    ['object', { data: '/page', type: 'text/html' }, ['frame object/@data /page']],
    ['embed', { src: '/page.html' }, ['frame embed/@src /page.html']],
    ['embed', { src: '/film.mp4' }, ['resource embed/@src /film.mp4']],
    ['form', { action: '/find' }, ['form form/@action /find']],
    ['form', { action: '/order', method: 'POST' }, ['form form/@action POST /order']],
    ['button', { formaction: '/other' }, ['form button/@formaction /other']],
    ['button', { formaction: '/send', formmethod: 'post' }, ['form button/@formaction POST /send']],
    ['blockquote', { cite: '/source' }, ['attribute blockquote/@cite /source']],
    ['q', { cite: ' ../a source.html ' }, ['attribute q/@cite  ../a source.html ']],
    ['blockquote', { cite: 'Jane Doe, The Harbour' }, []],
    ['img', { longdesc: 'Our team in front of the office.' }, []],
    ['img', { longdesc: 'description' }, ['attribute img/@longdesc description']],
    ['td', { background: '/bg.png' }, ['resource td/@background /bg.png']],
    ['head', { profile: '/profile' }, ['resource head/@profile /profile']],
    ['html', { manifest: '/m.appcache' }, ['resource html/@manifest /m.appcache']],
    ['div', { itemid: '/thing' }, ['attribute div/@itemid /thing']],
    ['div', { itemid: 'urn:isbn:1' }, []],
    ['div', { style: 'background:url(/s.png)' }, ['css div/@style url() /s.png']],
    ['div', { onclick: "location.href='/click'" }, ['script div/@onclick /click']],
    ['b', { 'hx-on:click': "htmx.ajax('GET','/h1','#t')" }, ['script b/@hx-on:click /h1']],
    ['b', { 'data-hx-on--click': "htmx.ajax('GET','/h2')" }, ['script b/@data-hx-on--click /h2']],
    ['b', { 'data-on:click': "@get('/h3')" }, ['script b/@data-on:click /h3']],
    ['b', { 'data-on-click': '/h4' }, ['attribute b/@data-on-click /h4']],
    ['div', { 'hx-get': '/part', 'hx-push-url': 'true' }, ['attribute div/@hx-get /part']],
    ['button', { 'hx-delete': '/item/1' }, ['resource button/@hx-delete /item/1']],
    ['button', { href: '#!/route' }, ['attribute button/@href #!/route']],
    ['li', { href: '#/route' }, ['attribute li/@href #/route']],
    ['button', { href: '#place' }, []],
    ['button', { routerlink: '/route' }, ['attribute button/@routerlink /route']],
    [
      'my-card',
      { href: '/card', src: '/c.png', size: '1/2' },
      ['attribute my-card/@href /card', 'resource my-card/@src /c.png'],
    ],
    ['meta', { 'http-equiv': 'refresh', content: '3; url=/next' }, ['meta-refresh meta/@content /next']],
    ['meta', { 'http-equiv': 'refresh', content: '; url=/next' }, []],
    ['meta', { 'http-equiv': 'refresh', content: '3; url=' }, []],
    ['meta', { property: 'og:url', content: '/self' }, ['attribute meta[og:url]/@content /self']],
    ['meta', { name: 'action-cable-url', content: '/cable' }, ['resource meta[action-cable-url]/@content /cable low']],
    ['meta', { name: 'app-api-url', content: '/backend' }, ['resource meta[app-api-url]/@content /backend low']],
    ['meta', { property: 'og:image', content: '/og.png' }, ['resource meta[og:image]/@content /og.png']],
    [
      'meta',
      { name: 'msapplication-task', content: 'name=S;action-uri=/task;icon-uri=/t.ico' },
      ['attribute meta[msapplication-task]/@content /task', 'resource meta[msapplication-task]/@content /t.ico'],
    ],
    ['meta', { name: 'viewport', content: 'width=device-width, initial-scale=1.0' }, []],
    ['meta', { name: 'description', content: 'and/or 1.5' }, []],
  ])('<%s %j>', (name, values, links) => {
    expect(read(name, values)).toEqual(links);
  });
});

describe('attributes of SVG and MathML', () => {
  test.each<[LinkNamespace, string, Record<string, string>, readonly string[]]>([
    ['svg', 'a', { 'xlink:href': '/a' }, ['anchor svg:a/@xlink:href /a']],
    ['svg', 'image', { href: '/i.png' }, ['resource svg:image/@href /i.png']],
    ['svg', 'use', { href: '/icons.svg#x' }, ['resource svg:use/@href /icons.svg#x']],
    ['svg', 'use', { href: '#x' }, []],
    ['svg', 'rect', { fill: 'url(#g)', stroke: 'url(/g.svg#s)' }, ['css svg:rect/@stroke url() /g.svg#s']],
    ['math', 'mi', { href: '/m' }, ['anchor math:mi/@href /m']],
  ])('<%s:%s %j>', (namespace, name, values, links) => {
    expect(read(name, values, namespace)).toEqual(links);
  });
});

test('a style sheet names pictures by url() and by strings of image-set(), and namespaces are no links', () => {
  const sheet = `@namespace url(http://www.w3.org/1999/xhtml); @import "i.css"; .a{background:image-set("1.png" 1x type("image/png"), url(2.png) 2x)}`;
  expect(styleLinks(sheet, 'style').map(({ context, href }) => `${context} ${href}`)).toEqual([
    'style @import i.css',
    'style url() 2.png',
    'style image-set() 1.png',
  ]);
});

describe('choices of a menu', () => {
  const chosen = (code: string, value: string): readonly string[] =>
    elementLinks({
      namespace: 'html',
      name: 'option',
      attributes: ['value'],
      attribute: () => value,
      words: () => '',
      formMethod: () => 'get',
      menuCode: () => code,
    }).map(({ kind, context, href, confidence }) => [kind, context, href, confidence ?? 'high'].join(' '));

  test.each([
    ['location = this.value', '/de/'],
    ['window.location.href=this.options[this.selectedIndex].value', '../v2/index.html'],
    ['if (this.value) document.location.assign(this.value)', 'https://docs.example/v1/'],
    ["MM_jumpMenu('parent',this,0)", 'news/start.html'],
    ['window.open(this.value, "_blank")', '?lang=de'],
    ['goToPage(this)', './next'],
  ])('are links where "%s" leads to %s', (code, value) => {
    expect(chosen(code, value)).toEqual([`script option/@value ${value} high`]);
  });

  test.each([
    ['', '/de/'],
    ['this.form.submit()', '/de/'],
    ['location = this.value; this.form.submit()', '/de/'],
    ["location = '/list' + this.value", '/red'],
    ['location = `/list${this.value}`', '/red'],
    ['show(this.value)', '/red'],
    ['location = this.value', 'red'],
    ['location = this.value', '#red'],
    ['location = this.value', ''],
    ['location = this.value', 'Europe/Berlin'],
  ])('are none where "%s" gets "%s"', (code, value) => {
    expect(chosen(code, value)).toEqual([]);
  });

  test('are parts where they name pictures', () => {
    expect(chosen('location = this.value', '/maps/north.png')).toEqual(['resource option/@value /maps/north.png high']);
  });
});
