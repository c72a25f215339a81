/** H02 to H13: texts whose parsing time grows faster than their length. */
import { must, type CrawlFixture, type Route } from './fixture.ts';

const of =
  (type: string, body: string): Route =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

const page = (body: string): string =>
  `<!doctype html><title>hostile</title><p>before</p><a href=/kept>kept</a>${body}`;

/** A run of white space, then a character that no pattern matches. */
const wide = (count: number): string => `${' '.repeat(count)}!`;
const CSS = `p{background:url(${String.raw`\aaaaaa`.repeat(40)}`;

export const PARSER_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'H02',
    attack: 'a sheet of a hundred bytes whose url() reads in two to the fortieth ways',
    paths: ['/inside', '/attribute', '/sheet'],
    routes: () => ({
      '/inside': page(`<style>${CSS}</style><style>${`a{b:url(\\a`.repeat(50_000)}</style>`),
      '/attribute': page(`<p style="${CSS}">p</p>`),
      '/sheet': page('<link rel=stylesheet href=/hostile.css><script>1</script>'),
      '/hostile.css': of('text/css', CSS),
    }),
    resumed: true,
  },
  {
    id: 'H03',
    attack: 'empty comments before what a script fetches, as template engines write them',
    paths: ['/fetches', '/hostile'],
    routes: () => ({
      '/fetches': page(
        "<script>fetch('/piece').then((r)=>r.text()).then((t)=>document.body.append(t.length))</script>",
      ),
      '/piece': of('text/html', `${'<!---->'.repeat(60)}<p>a piece</p>`),
      '/hostile': `${'<!---->'.repeat(60)}${page('<script>1</script>')}`,
    }),
  },
  {
    id: 'H04',
    attack: 'JSON in blocks that ends in megabytes of ends of comments',
    paths: ['/linked-data', '/state', '/broken'],
    routes: () => ({
      '/linked-data': page(`<script type=application/ld+json>{"a":"/b"}-->${' '.repeat(200_000)}!</script>`),
      '/state': page(`<script type=application/json>{"a":"/b.c"}//${' '.repeat(200_000)}!</script>`),
      '/broken': page(`<script type=application/ld+json>{"url":"/${'"a":"'.repeat(200_000)}</script>`),
    }),
  },
  {
    id: 'H05',
    attack: 'data attributes of white space, of brackets and of JSON without an end',
    routes: () => ({
      '/hostile': page(
        [
          `<p data-bg="url(${wide(100_000)}/">`,
          `<p data-href="/${'('.repeat(100_000)}">`,
          `<p data-state='${'['.repeat(190_000)}/'>`,
          `<p data-image="/${'a,'.repeat(100_000)}">`,
        ].join(''),
      ),
    }),
  },
  {
    id: 'H06',
    attack: '100,000 attributes, each of them a link',
    routes: () => ({
      '/hostile': page(`<p${Array.from({ length: 1e5 }, (_, n) => ` data-href${n}=/h${n}`).join('')}>p</p>`),
    }),
    flags: () => ['--exclude', '/h[0-9]'],
  },
  {
    id: 'H07',
    attack: 'a srcset of megabytes of commas and brackets',
    routes: () => ({
      '/hostile': page(
        `<img srcset="a${','.repeat(500_000)}b 1x"><img srcset="${'a ('.repeat(300_000)}"><img srcset="${`a${','.repeat(5000)}b `.repeat(200)}">`,
      ),
    }),
  },
  {
    id: 'H08',
    attack: 'plain text of addresses that end in thousands of brackets and full stops',
    paths: ['/brackets.txt', '/stops.txt'],
    routes: () => ({
      '/brackets.txt': of('text/plain', `http://a.example/${')'.repeat(2000)} `.repeat(1000)),
      '/stops.txt': of('text/plain', `http://a.example/${').'.repeat(1000)}a `.repeat(1000)),
    }),
    ends: { '/brackets.txt': 'not-html', '/stops.txt': 'not-html' },
  },
  {
    id: 'H09',
    attack: 'addresses in texts and comments of a page that end in thousands of brackets',
    routes: () => ({
      '/hostile': page(
        `<p>${`http://a.example/${')]'.repeat(1000)} `.repeat(1000)}</p><!--${`www.${'a.'.repeat(1000)} `.repeat(1000)}--><!--${` href=${'"'.repeat(3)}`.repeat(100_000)}-->`,
      ),
    }),
  },
  {
    id: 'H10',
    attack: 'a sitemap of a million open elements, entities and half tags',
    routes: ({ site }) => ({
      '/hostile': page('<p>beside it</p>'),
      '/robots.txt': of(
        'text/plain',
        `User-agent: *\nAllow: /\nSitemap: ${site.url}/deep.xml\nSitemap: ${site.url}/half.xml\n`,
      ),
      '/deep.xml': of('application/xml', `<urlset>${'<url><loc>'.repeat(400_000)}`),
      '/half.xml': of(
        'application/xml',
        `<urlset><url><loc>${'&amp;'.repeat(400_000)}${'<'.repeat(1_000_000)}${'<!--'.repeat(300_000)}`,
      ),
    }),
  },
  {
    id: 'H11',
    attack: 'a feed of a million open elements, of nested HTML and of comments without an end',
    paths: ['/deep.xml', '/html.xml', '/comments.xml'],
    routes: () => ({
      '/deep.xml': of('application/rss+xml', `<rss>${'<a>'.repeat(1_000_000)}`),
      '/html.xml': of(
        'application/rss+xml',
        `<rss><item><description>${'&lt;b&gt;'.repeat(400_000)}</description></item></rss>`,
      ),
      '/comments.xml': of('application/rss+xml', `<rss><title>${'<![CDATA['.repeat(300_000)}${'<!--'.repeat(300_000)}`),
    }),
    ends: { '/deep.xml': 'not-html', '/html.xml': 'not-html', '/comments.xml': 'not-html' },
  },
  {
    id: 'H12',
    attack: 'Markdown of a million brackets, and of headings that never end',
    paths: ['/brackets.md', '/headings.md'],
    routes: () => ({
      '/brackets.md': of('text/markdown', '['.repeat(2_000_000)),
      '/headings.md': of(
        'text/markdown',
        `${`# a${' #'.repeat(450)}!\n`.repeat(20)}${`[a](${' '.repeat(5000)}`.repeat(400)}`,
      ),
    }),
    ends: { '/brackets.md': 'not-html', '/headings.md': 'not-html' },
  },
  {
    id: 'H13',
    attack: 'a PDF of a million open dictionaries, of white space and of streams without an end',
    paths: ['/dictionaries.pdf', '/spaces.pdf', '/streams.pdf'],
    routes: () => ({
      '/dictionaries.pdf': of('application/pdf', `%PDF-1.7\n1 0 obj${'<<'.repeat(2_000_000)}`),
      '/spaces.pdf': of(
        'application/pdf',
        `%PDF-1.7\n${`1${' '.repeat(7)}0 obj<</Type/Catalog/Pages ${' '.repeat(200)}2 0 R>>`.repeat(20_000)}`,
      ),
      '/streams.pdf': of(
        'application/pdf',
        `%PDF-1.7\n${'1 0 obj<</Type/ObjStm/N 99999/First 9/Filter/FlateDecode>>stream\n'.repeat(60_000)}`,
      ),
    }),
    ends: { '/dictionaries.pdf': 'not-html', '/spaces.pdf': 'not-html', '/streams.pdf': 'not-html' },
    also: ({ pages }) => must(pages.length > 0, 'there are no pages'),
  },
];
