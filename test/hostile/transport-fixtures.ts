/** F29 to F38: malformed, oversized and slow answers of a server. */
import type { IncomingMessage } from 'node:http';
import { secureOrigin } from '../support/secure-origin.ts';
import { brotliBomb, nestedBomb, packedBomb } from './bombs.ts';
import { must, scripted, type CrawlFixture, type Disposition, type Handler, type Route } from './fixture.ts';
import type { World } from './world.ts';

/** Writes raw bytes on the connection, then closes it unless `then` does otherwise. */
export function raw(
  bytes: string | Buffer,
  then: (socket: IncomingMessage['socket']) => void = (socket) => socket.end(),
): Handler {
  return ({ socket }) => {
    socket.write(bytes, () => then(socket));
  };
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const HTML = '<!doctype html><title>part</title><p>as far as it came</p>';

/** Writes endlessly until the client disconnects, slowly enough for this process to do other work. */
function endless(type: string, piece: string, begin = ''): Route {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type }).write(begin);
    const timer = setInterval(() => response.write(piece.repeat(100)), 20);
    response.on('close', () => clearInterval(timer));
  };
}

/** Writes one character every half second. */
const slowly =
  (text: string, begin = ''): Route =>
  ({ socket }) => {
    if (begin !== '') socket.write(begin);
    let at = 0;
    const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 500);
    socket.on('close', () => clearInterval(timer));
  };

const all = (
  paths: readonly string[],
  ends: Disposition | readonly Disposition[],
): Record<string, Disposition | readonly Disposition[]> => Object.fromEntries(paths.map((path) => [path, ends]));

const HEADERS: Readonly<Record<string, string>> = {
  '/large': `X-Large: ${'a'.repeat(300_000)}\r\n`,
  '/many': Array.from({ length: 10_000 }, (_, n) => `X-${n}: a\r\n`).join(''),
  '/nul': 'X-Nul: a\0b\r\n',
  '/bare-cr': 'X-Bare: a\rX-Other: b\r\n',
  '/no-colon': 'this is no header\r\n',
  '/folded': 'X-Folded: a\r\n  b\r\n',
  '/two-lengths': 'Content-Length: 5\r\nContent-Length: 50\r\n',
  '/both': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
};

const CUT: Readonly<Record<string, Route>> = {
  '/short': raw(`${HEAD}Content-Length: 1000\r\n\r\n${HTML}`),
  '/reset': raw(`${HEAD}Content-Length: 1000\r\n\r\n${HTML}`, (socket) => socket.resetAndDestroy()),
  '/chunk-size': raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n8000000000000000\r\n${HTML}`),
  '/gzip': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
    // the head of a compressed text, and nothing more
    response.end(Buffer.from('1f8b0800000000000003b3512cc94b', 'hex'));
  },
};

/** No request, of either kind, carried credentials. */
const noCredentials = ({ world }: { readonly world: World }): readonly string[] =>
  world.site.asked.flatMap(({ url, headers }) =>
    must(headers.authorization === undefined && headers['proxy-authorization'] === undefined, `${url} got credentials`),
  );

const authenticate =
  (status: number, header: string, value: string): Route =>
  (_request, response) =>
    response.writeHead(status, { [header]: value, 'content-type': 'text/html' }).end('<title>log in</title>');

const redirectTo =
  (location: (url: string) => string): Route =>
  (request, response) =>
    response.writeHead(302, { location: location(request.url ?? '') }).end();

export const TRANSPORT_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F29',
    attack: 'bodies that unpack to gigabytes: gzip, deflate, brotli, twice, and twenty times named',
    paths: ['/gzip', '/deflate', '/brotli', '/nested', '/twenty', '/parts'],
    routes: () => ({
      '/gzip': packedBomb('gzip', 10 * 2 ** 30),
      '/deflate': packedBomb('deflate', 2 ** 30),
      '/brotli': brotliBomb(),
      '/nested': nestedBomb(2),
      '/twenty': nestedBomb(1, 20),
      '/parts': scripted('', '<script src=/part.js></script><link rel=stylesheet href=/part.css><img src=/part.svg>'),
      '/part.js': packedBomb('gzip', 2 ** 30, 'text/javascript'),
      '/part.css': packedBomb('gzip', 2 ** 30, 'text/css'),
      '/part.svg': packedBomb('gzip', 2 ** 30, 'image/svg+xml'),
    }),
    ends: {
      ...all(['/gzip', '/deflate', '/brotli', '/nested', '/twenty'], ['too-large', 'captured', 'unreachable']),
      '/parts': ['captured', 'timed-out'],
    },
  },
  {
    id: 'F30',
    attack: 'answers without an end: a document, events, a picture, a script',
    paths: ['/document', '/parts'],
    routes: () => ({
      '/document': endless('text/html', '<p>more', '<!doctype html><title>endless</title>'),
      '/parts': scripted("new EventSource('/events')", '<img src=/picture><script src=/script defer></script>'),
      '/events': endless('text/event-stream', 'data: x\n\n'),
      '/picture': endless('image/gif', 'GIF89a'),
      '/script': endless('text/javascript', '1;\n'),
    }),
    ends: { '/document': ['captured', 'timed-out'], '/parts': ['captured', 'timed-out'] },
  },
  {
    id: 'F31',
    attack: 'slow servers: headers and bodies by the byte, silence, a connection that is never closed',
    paths: ['/headers', '/body', '/silent', '/no-end'],
    routes: () => ({
      '/headers': slowly('X-Slow: a\r\n', 'HTTP/1.1 200 OK\r\n'),
      '/body': slowly('slow ', `${HEAD}\r\n<!doctype html><title>slow</title>`),
      '/silent': () => {},
      '/no-end': raw(`${HEAD}\r\n${HTML}`, () => {}),
    }),
    ends: {
      '/headers': ['timed-out', 'unreachable'],
      '/body': ['captured', 'timed-out'],
      '/silent': ['timed-out', 'unreachable'],
      '/no-end': ['captured', 'timed-out'],
    },
  },
  {
    id: 'F32',
    attack: 'headers that are too large, too many or no headers',
    paths: Object.keys(HEADERS),
    routes: () =>
      Object.fromEntries(Object.entries(HEADERS).map(([path, header]) => [path, raw(`${HEAD}${header}\r\n${HTML}`)])),
    ends: {
      ...all(['/large', '/many', '/nul', '/bare-cr', '/no-colon', '/two-lengths', '/both'], 'unreachable'),
      '/folded': ['captured', 'unreachable'],
    },
    also: ({ page }) =>
      Object.keys(HEADERS).flatMap((path) => {
        const record = page(path);
        return must(
          record?.outcome === 'captured' || /no valid HTTP|header/i.test(record?.detail ?? ''),
          `${path}: the reason is "${record?.detail}", which says nothing of the answer`,
        );
      }),
    quick: true,
  },
  {
    id: 'F33',
    attack: 'bodies that are shorter than they say, cut, or of absurd chunks',
    paths: Object.keys(CUT),
    routes: () => CUT,
    ends: all(Object.keys(CUT), ['captured', 'unreachable']),
    also: ({ page }) =>
      ['/short', '/reset'].flatMap((path) => {
        const record = page(path) as { readonly outcome: string; readonly truncated?: unknown } | undefined;
        return must(record?.outcome !== 'captured' || record.truncated !== undefined, `${path} counts as whole`);
      }),
  },
  {
    id: 'F34',
    attack: 'redirects in a circle, between two pages, and to ever new ones',
    paths: ['/self', '/a', '/grow'],
    routes: () => ({
      '/self': redirectTo((url) => url),
      '/a': redirectTo(() => '/b'),
      '/b': redirectTo(() => '/a'),
      '/grow': redirectTo(() => '/grow?1'),
      '*': redirectTo((url) => `/grow?${Number(url.split('?')[1] ?? 0) + 1}`),
    }),
    ends: all(['/self', '/a', '/grow'], ['redirected', 'unreachable']),
    also: ({ world, pages }) => {
      // a few more than ten: the crawl also probes the site with addresses that no page names
      const grown = world.site.asked.filter(({ url }) => url.startsWith('/grow')).length;
      const longest = Math.max(...pages.map(({ redirects }) => redirects.length));
      return [
        ...must(grown <= 30, `${grown} hops were followed`),
        ...must(longest <= 10, `${longest} hops in a row were followed, not at most 10`),
      ];
    },
    quick: true,
  },
  {
    id: 'F35',
    attack: 'pages that load themselves again: refresh, a header, a script',
    paths: ['/meta', '/header', '/script'],
    routes: () => ({
      '/meta': '<!doctype html><title>m</title><meta http-equiv=refresh content=0><p>again',
      '/header': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', refresh: '0' }).end('<title>h</title><p>again'),
      '/script': scripted('location.reload();setTimeout(()=>location.href=location.href+"?",1)'),
    }),
    flags: () => ['--exclude', String.raw`\?`],
    also: ({ world }) =>
      ['/meta', '/header', '/script'].flatMap((path) => {
        const asked = world.site.asked.filter(({ url }) => url === path).length;
        return must(asked <= 5, `${path} was asked for ${asked} times, not at most 5`);
      }),
  },
  {
    id: 'F36',
    attack: 'a flood of requests: 20,000 fetches and 5,000 pictures',
    paths: ['/fetches', '/pictures'],
    routes: () => ({
      '/fetches': scripted('for(let n=0;n<20000;n++)fetch("/api?f"+n).catch(()=>{})'),
      '/pictures': scripted('for(let n=0;n<5000;n++){const i=new Image();i.src="/api?p"+n;document.body.append(i)}'),
      '*': (_request, response) => response.end('{}'),
    }),
    // twenty thousand waiting requests may exceed a browser's memory limit
    ends: { '/fetches': ['captured', 'timed-out', 'crashed'], '/pictures': ['captured', 'timed-out'] },
    also: ({ world }) =>
      ['f', 'p'].flatMap((kind) => {
        const count = world.site.asked.filter(({ url }) => url.startsWith(`/api?${kind}`)).length;
        return must(count <= 500, `${count} requests of one page came, not at most 500`);
      }),
  },
  {
    id: 'F37',
    attack: 'servers that ask who is there: Basic, Digest, Negotiate, a proxy, a certificate that nobody signed',
    paths: ['/basic', '/digest', '/negotiate', '/proxy'],
    routes: () => ({
      '/basic': authenticate(401, 'www-authenticate', 'Basic realm="x"'),
      '/digest': authenticate(401, 'www-authenticate', 'Digest realm="x", nonce="1"'),
      '/negotiate': authenticate(401, 'www-authenticate', 'Negotiate'),
      '/proxy': authenticate(407, 'proxy-authenticate', 'Basic realm="x"'),
    }),
    seeds: async ({ disposal }) => {
      const unsigned = await secureOrigin((_request, response) => response.end('<title>unsigned</title>'));
      return [`https://127.0.0.1:${disposal.use(unsigned).port}/`];
    },
    ends: {
      ...all(['/basic', '/digest', '/negotiate'], 'http-error'),
      '/proxy': ['http-error', 'unreachable'],
    },
    also: (crawled) => {
      const tls = crawled.pages.find(({ url }) => url.startsWith('https:'));
      return [
        ...noCredentials(crawled),
        ...must(
          tls?.outcome === 'unreachable' && /tls|certificate/i.test(tls.detail ?? ''),
          `the unsigned host ended as ${tls?.outcome} (${tls?.detail}), not as unreachable (tls)`,
        ),
      ];
    },
  },
  {
    id: 'F38',
    attack: 'downloads: endless, with a name that climbs, a thousand at once, a page as an attachment',
    paths: ['/endless.bin', '/climbs', '/thousand', '/page.html'],
    routes: () => {
      const attachment =
        (name: string): Route =>
        (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html', 'content-disposition': `attachment; filename="${name}"` })
            .end('<title>x</title>');
      return {
        '/endless.bin': endless('application/octet-stream', 'x'.repeat(1000)),
        '/climbs': attachment('../../x'),
        '/thousand': scripted(
          'for(let n=0;n<1000;n++){const a=document.createElement("a");a.href="/file/"+n;a.download="";document.body.append(a);a.click()}',
        ),
        '/page.html': attachment('page.html'),
        '*': attachment('file'),
      };
    },
    flags: () => ['--exclude', '/file/'],
    ends: {
      '/endless.bin': ['not-html', 'timed-out'],
      '/climbs': 'not-html',
      '/thousand': ['captured', 'timed-out'],
      '/page.html': 'not-html',
    },
  },
];
