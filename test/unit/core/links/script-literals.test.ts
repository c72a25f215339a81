import { describe, expect, it } from 'vitest';
import { scriptLiterals } from '../../../../src/core/links/scripts/script-literals.ts';
import { scriptStrings } from '../../../../src/core/links/scripts/script-strings.ts';
import { processorTime } from '../../../support/processor-time.ts';

const hrefs = (source: string): string[] => scriptLiterals(source, 'https://example.org/').map(({ href }) => href);

describe('scriptLiterals', () => {
  it.each([
    [
      'a route of a router',
      'createRouter({routes:[{path:"/about",component:e},{path:"/team/list"}]})',
      ['/about', '/team/list'],
    ],
    ['an absolute URL', "const home='https://example.org/shop?page=2';", ['https://example.org/shop?page=2']],
    ['a URL without its scheme', 'open("//docs.example.org/guide")', ['//docs.example.org/guide']],
    ['a hash route', 'a.href="#/settings/profile"', ['#/settings/profile']],
    ['a hashbang route', "go('#!/inbox')", ['#!/inbox']],
    [
      'a file that is named as pages are',
      'x="contact.html",y="list.php?page=2",z="./guide/",w="../up/index.htm"',
      ['contact.html', 'list.php?page=2', './guide/', '../up/index.htm'],
    ],
    ['a template without an expression', 'go(`/plain/template`)', ['/plain/template']],
    [
      'escapes',
      String.raw`a="\/escaped\/slash",b="\x2fhex",c="\u002funit\u{2f}point"`,
      ['/escaped/slash', '/hex', '/unit/point'],
    ],
    ['a path beside its origin', 'location.origin+"/beside/origin"', ['/beside/origin']],
    [
      'the keys of a route manifest',
      'self.__BUILD_MANIFEST={"/blog":["static/chunks/pages/blog-1a2b.js"],"/blog/[slug]":[],sortedPages:["/","/_app","/blog"]}',
      ['/blog'],
    ],
    ['lazy routes', '{path:"/lazy/route",component:()=>import("./Lazy-3f.js")}', ['/lazy/route']],
    ['the address that a router shows', 'router.replace("/blog/[slug]","/blog/first")', ['/blog/first']],
    ['one address twice', 'a="/same/one";b="/same/one"', ['/same/one']],
    ['a path in another script', 'a="/über/uns",b="/%C3%BCber"', ['/über/uns', '/%C3%BCber']],
    ['a page of a language', 'l={de:"/de",en:"/en/"}', ['/de', '/en/']],
    [
      'an address behind a regular expression with quotes',
      `e.replace(/["'\`]/g,"");go("/after/regex")`,
      ['/after/regex'],
    ],
    ['an address behind a class with a slash', `t=/[/"]+/.test(x),go("/after/class")`, ['/after/class']],
    [
      'an address behind a regular expression after a condition',
      'for(const e of keys(o))/"\\d+/.test(e)&&f(e);if(!(a))/[`]/.test(b);while(c)/d/.test(e);go("/after/condition")',
      ['/after/condition'],
    ],
    [
      'an address behind a division of what a method called `if` returns',
      'a=b.if(c)/2,d="/after/method",e=f/3',
      ['/after/method'],
    ],
    ['an address behind a division in a condition', 'if(a/2>(b)/3)c/=4,d="/in/condition",e=f/3', ['/in/condition']],
    ['an address behind a division', 'a=(b+c)/2,d="/after/division",e=f/3', ['/after/division']],
    ['an address behind comments', `// don't\n/* "it's" */ go("/after/comment")`, ['/after/comment']],
    [
      'an address behind a template with templates in it',
      'a=`${b?`x${{c:"}"}.c}`:"y"}`;go("/after/template")',
      ['/after/template'],
    ],
    ['an address inside the expression of a template', 'a=`x ${link("/in/expression")} y`', ['/in/expression']],
    ['an address in a line behind a broken one', `it's broken\ngo("/next/line")`, ['/next/line']],
  ])('finds %s', (_what, source, expected) => {
    expect(hrefs(source)).toEqual(expected);
  });

  it.each([
    // parts of addresses
    'get("/user/"+id)',
    'get(base+"/suffix")',
    'get("/user/".concat(id,"/posts"))',
    'get(`/user/${id}`)',
    'x="https://example.org/?q="',
    'y="/search?q="',
    'z="http://"',
    'w="https://"+host',
    // parameters and patterns of routes
    'p="/user/:id"',
    'p="/user/:id(\\\\d+)"',
    'p="/files/*"',
    'p="/**"',
    'p="/[slug]"',
    'p="/{id}"',
    'p="/<int:id>"',
    'p="/$1"',
    'p="/(.*)"',
    'p="/^foo/"',
    'p="/a|b"',
    'p="/user/:id?"',
    'p="/_error"',
    'p="/_next/static/"',
    // modules and chunks
    'import"./index.js"',
    'import a from "./about.html"',
    'require("/lib/x")',
    'import("/chunk-abc")',
    'n.p="/static/js/main.js"',
    'm={"./af":1,"./af.js":2}',
    'e="static/chunks/pages/blog-1a2b.js"',
    'importScripts("/workbox/run")',
    // subresources of pages
    'img="/logo.png"',
    'f="/fonts/a.woff2"',
    's="https://cdn.example.org/a.css"',
    'v="/film.mp4"',
    'w="/wasm/a.wasm"',
    'sourceMappingURL="/a.js.map"',
    // types, formats, units
    't="text/html"',
    't="application/json"',
    't="image/*"',
    'd="MM/dd/yyyy"',
    'd="/yyyy"',
    'd="dd/MM"',
    'u="/mo"',
    'u="km/h"',
    'n="1/2"',
    'n="24/7"',
    'p="$5/month"',
    'p="/month"',
    'k="and/or"',
    'k="n/a"',
    'tz="Europe/Berlin"',
    // CSS, SVG, XPath, globs, expressions, code
    's="a/b/c"',
    'c="calc(100%/3)"',
    'd="M0 0l5/3"',
    'x="//div[@id]"',
    'x="//a"',
    'g="src/**/*.ts"',
    'r="/[a-z]+/gi"',
    'h="</div>"',
    'h="/>"',
    'h="<br/>"',
    'c="/*"',
    'c="*/"',
    'c="//"',
    'c="// comment"',
    'c="/* comment */"',
    'f="/i"',
    // namespaces and the pages of libraries' errors
    'ns="http://www.w3.org/2000/svg"',
    'ns="http://www.w3.org/1999/xlink"',
    'e="https://reactjs.org/docs/error-decoder.html?invariant="',
    'e="https://react.dev/errors/418"',
    'e="https://vuejs.org/error-reference/#runtime-1"',
    's="https://schema.org"',
    'e="https://fb.me/react-x"',
    // tests of URL polyfills
    'u=new URL("b?a=b&c=%20d","http://a")',
    'u="http://тест"',
    'u="http://x"',
    'u="https://a@b"',
    'u="http://user:pass@example.org/"',
    // messages
    'm="You cannot use /about here"',
    'm="i.e. foo/bar.baz"',
    'throw Error("/not/a/route")',
    'console.warn("/in/a/message")',
    'm="...and/more"',
    // strings that are compared, not visited
    'path.startsWith("/prefix/")',
    'path.split("/x/y")',
    'x.indexOf("/look/for")',
    'x.replace("/old/path","")',
    'V=V.replace(/^\\/\\//,"/new/path")',
    // data
    `j="/9j/4AAQSkZJRgABAQAAAQABAAD"`,
    `b="/${'aB3dEf9hIj'.repeat(8)}"`,
    'd="data:text/html,/x"',
    'e="mailto:a@example.org"',
    'v="1.2.3/4"',
    'i="/123/456"',
    'p="/usr/lib/node"',
    'p="/node_modules/react/index"',
    // JSON pointers of a schema into itself
    's={type:{anyOf:[{$ref:"#/definitions/simpleTypes"},{"$ref":"#/definitions/list"}]}}',
    // a pointer of JSON:API into the document that was sent
    'e.push({title:"Invalid",source:{pointer:"/data"}})',
    'e={source:{pointer:"/data/attributes/first-name"}}',
    // folders of the machine that built the script: Turbopack calls that of the project /ROOT/
    'f="file:///ROOT/";u.ab="/ROOT/";r=`/ROOT/${e??""}`',
    'u.ab="/src/app/node_modules/next/dist/compiled/process/"',
    // paths of a disk, and files behind the plug-ins of module loaders
    'p="/C:/foo/bar"',
    'define({cache:{"dojo/text!./templates/Button.html":1}})',
    't="text!./row.html"',
    'p="/%s/%d"',
    'p="/100%"',
    'j="javascript:void(0)"',
    'x="/./a"',
    'x="/a/../b"',
    'p="/."',
    // i18n and other keys
    'k={"home/title":"Home","errors.not/found":1}',
    'k="form.errors/required"',
    'a="@scope/package"',
    'e="click/tap"',
    'r="users/fetch"',
    // empty and broken ones
    '',
    '"',
    "'",
    '`',
    '/',
    '/*',
    '//',
    '"\\',
    '`${',
    '`${`',
    '"/unterminated',
    '"/broken\nline"',
    '\\',
    '}}}',
    '/[',
    '/(',
  ])('takes nothing for an address in %j', (source) => {
    expect(hrefs(source)).toEqual([]);
  });

  it.each([
    '/logout',
    '/account/delete',
    '/cart/add-to-cart',
    '/api/users',
    '/v1/items',
    '/user/sign-out?x=1',
    '/mail/send',
    '/en/api/x',
    '/graphql',
    'https://example.org/api/list',
  ])('notes %s, and gives nobody a reason to visit it', (route) => {
    expect(scriptLiterals(`go("${route}")`, 'https://example.org/').map(({ href, kind }) => [href, kind])).toEqual([
      [route, 'request'],
    ]);
  });

  it.each(['/ordering', '/sender', '/deleted-scenes', '/vision', '/apiary', '/payment-terms', '/likes-and-more'])(
    'takes %s for a page like any other',
    (route) => {
      expect(scriptLiterals(`go("${route}")`, 'https://example.org/').map(({ kind }) => kind)).toEqual(['script']);
    },
  );

  it('gives a speculative link the page as base, and low confidence', () => {
    expect(scriptLiterals('"/a/b"', 'https://example.org/page')).toEqual([
      {
        href: '/a/b',
        base: 'https://example.org/page',
        resolved: null,
        kind: 'script',
        confidence: 'low',
        context: 'literal',
        stage: 'load',
        frame: null,
        text: '',
        rel: [],
      },
    ]);
  });

  it.each([
    ['https://example.org/app#/home', '#/a/b'],
    ['https://example.org/app#!/home', '#!/a/b'],
    ['https://example.org/app#section', '/a/b'],
  ])('takes a route of a page at %s for %s', (base, href) => {
    expect(scriptLiterals('"/a/b"', base).map((link) => link.href)).toEqual([href]);
  });

  it('keeps 500 of a script that is full of them', () => {
    const source = Array.from({ length: 2000 }, (_, index) => `"/page/n${index}"`).join(',');
    expect(hrefs(source)).toHaveLength(500);
  });

  it.each([
    '/[',
    '"',
    "'",
    '`',
    '`${',
    '/*',
    '//',
    '\\',
    '{',
    '}',
    '/',
    '=/[',
    '"/a',
    'a/',
    '(/x',
    '\u00e9',
    '"\\u{',
    "'\\",
  ])('reads a hostile script of %j in linear time', (piece) => {
    const start = processorTime();
    hrefs(piece.repeat(Math.floor(1_048_576 / piece.length)));
    expect(processorTime() - start).toBeLessThan(1500);
  });
});

describe('scriptStrings', () => {
  it('says what stands around a string', () => {
    expect([...scriptStrings('fetch("/a").then(r);b="c"+d')]).toEqual([
      { value: '/a', before: '(', word: 'fetch', after: ').then(r);b="c"+d' },
      { value: 'c', before: '=', word: 'b', after: '+d' },
    ]);
  });
});
