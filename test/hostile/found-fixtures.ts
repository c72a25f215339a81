/** H01, H15 and H21 to H33: attacks beyond the table, found by trying pages and servers in whole crawls. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../support/command.ts';
import { MARKS, shown } from './data-fixtures.ts';
import { must, scripted, type CrawlFixture, type Crawled, type Route } from './fixture.ts';
import { listeningPorts } from './process-tree.ts';
import { rawControls } from './terminal-bytes.ts';
import { raw } from './transport-fixtures.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const HALF = `<!doctype html><title>half</title><p>${'x'.repeat(460)}`;

/** A random number generator with a seed (Park & Miller). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Answers that violate HTTP: status lines, headers and framing, each slightly wrong. */
function wrongAnswer(number: number): Buffer {
  const pick = numbers(number + 1);
  const odd = (): string => String.fromCharCode(pick(256));
  const lines = [
    'HTTP/1.1 200 O\u0007K',
    'HTTP/1.1 200',
    `HTTP/1.1 ${pick(1000)} ${odd()}${odd()}`,
    'HTTP/9.9 200 OK',
    `HTTP/1.1 200 ${'r'.repeat(pick(90_000))}`,
    'ICY 200 OK',
    `HTTP/1.1 1${pick(100)} ${odd()}`,
  ];
  const headers = [
    'Content-Length: 4',
    'Content-Length: -1',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    `X${odd()}: a`,
    `X-A: ${odd()}`,
    'Connection: close, te',
    'Content-Encoding: gzip',
    'Trailer: a',
    `Set-Cookie: a=${odd()}`,
    'Upgrade: h2c',
    `: empty`,
    'Content-Type: image/png',
  ];
  const bodies = [
    'data',
    '4\r\ndata\r\n0\r\n\r\n',
    'zz\r\ndata',
    '',
    `${odd()}`.repeat(50),
    '0\r\nTrailer: \u0007\r\n\r\n',
  ];
  const chosen = Array.from({ length: pick(5) }, () => headers[pick(headers.length)]);
  return Buffer.from(
    `${lines[pick(lines.length)]}\r\n${chosen.join('\r\n')}\r\n\r\n${bodies[pick(bodies.length)]}`,
    'latin1',
  );
}

/** All text of the crawl folder without snapshots, which hold the pages' own text. */
async function textOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(?:jsonl?|json)$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

const cutBody = ({ page, world }: Crawled): readonly string[] =>
  Object.keys(CUT).flatMap((path) => {
    const record = page(path) as { readonly truncated?: unknown } | undefined;
    const asked = world.site.asked.filter(({ url }) => url === path).length;
    return [
      ...must(
        /disconnect/.test(JSON.stringify(record?.truncated ?? null)),
        `${path}: truncated is ${JSON.stringify(record?.truncated)}, not disconnect`,
      ),
      ...must(asked >= 2, `${path} was not tried again`),
    ];
  });

const CUT: Readonly<Record<string, Route>> = {
  '/cut-0': raw(`${HEAD}Content-Length: 1000\r\n\r\n`, (socket) => socket.resetAndDestroy()),
  '/cut-500': raw(`${HEAD}Content-Length: 1000\r\n\r\n${HALF}`, (socket) => socket.resetAndDestroy()),
  '/cut-chunk': raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1f4\r\n${HALF.slice(0, 300)}`, (socket) => socket.end()),
  '/cut-gzip': raw(
    Buffer.concat([
      Buffer.from(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n`),
      Buffer.from('1f8b0800000000000003', 'hex'),
      Buffer.from('b3c9284bcd4d55c82c', 'hex'),
    ]),
    (socket) => socket.end(),
  ),
  // a reset that overtakes its body looks like a normal end: no length was announced
  '/cut-open': raw(`${HEAD}\r\n${HALF}`, (socket) => setTimeout(() => socket.resetAndDestroy(), 100)),
};

export const FOUND_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'H01',
    attack: "a control character in a reason phrase: of a page, of a picture, of another host's picture",
    paths: ['/page', '/picture'],
    routes: ({ third }) => {
      const wrong = raw(
        'HTTP/1.1 200 O\u0007K\r\nContent-Type: image/gif\r\nContent-Length: 3\r\nConnection: close\r\n\r\nGIF',
      );
      return {
        '/page': raw(
          'HTTP/1.1 200 O\u0007K\r\nContent-Type: text/html\r\nContent-Length: 30\r\nConnection: close\r\n\r\n<title>bell</title><p>ring</p>',
        ),
        '/picture': scripted(
          "document.title='pictures'",
          `<img src=/pixel.gif><img src="http://127.0.0.1:${third.port}/x.gif">`,
        ),
        'third:/x.gif': wrong,
        '/pixel.gif': wrong,
      };
    },
    flags: ({ third }) => ['--allow-private', `127.0.0.1:${third.port}`],
    ends: { '/page': ['captured', 'unreachable'], '/picture': 'captured' },
    quick: true,
  },
  {
    id: 'H15',
    attack: 'pages, redirects and parts of other hosts that would receive the headers of --header',
    paths: ['/hostile', '/redirect'],
    routes: ({ third }) => ({
      '/hostile': scripted(
        `fetch('${third.url}/fetched',{mode:'no-cors'}).catch(()=>{})`,
        `<img src="${third.url}/picture"><a href="${third.url}/linked">t</a><form action="${third.url}/form"></form>`,
      ),
      '/redirect': (_request, response) => response.writeHead(302, { location: `${third.url}/redirected` }).end(),
    }),
    flags: ({ third }) => [
      '-H',
      'Authorization: Bearer geheim-1',
      '-H',
      'X-Vault-Token: geheim-2',
      '-H',
      'Cookie: s=geheim-3',
      '--scope',
      'any',
      '--allow-private',
      `127.0.0.1:${third.port}`,
    ],
    ends: { '/hostile': 'captured', '/redirect': 'redirected' },
    also: async ({ world, folder, terminal }) => [
      ...world.third.asked.flatMap(({ url, headers }) =>
        must(!JSON.stringify(headers).includes('geheim'), `the third host got a secret with ${url}`),
      ),
      ...must(world.third.asked.length > 0, 'the third host was not asked at all'),
      ...must(
        world.site.asked.some(({ headers }) => headers.authorization === 'Bearer geheim-1'),
        "the seed's own host did not get the header",
      ),
      ...must(
        !/geheim/.test(await textOf(folder)),
        `the crawl folder tells ${/geheim-\d/.exec(await textOf(folder))?.[0]}`,
      ),
      ...must(!terminal.toString().includes('geheim'), 'the terminal tells a secret'),
    ],
  },
  {
    id: 'H21',
    attack: 'bodies cut after none and after half, in a chunk, within gzip, and without a length',
    paths: Object.keys(CUT),
    routes: () => CUT,
    flags: () => ['--retries', '1'],
    ends: {},
    also: cutBody,
  },
  {
    id: 'H22',
    attack: 'cookies that make every later request larger than a server takes',
    paths: ['/bomb', '/after-1', '/after-2'],
    routes: () => {
      const after: Route = (request, response) => {
        const large = (request.headers.cookie ?? '').length > 16_000;
        response.writeHead(large ? 431 : 200, { 'content-type': 'text/html' });
        response.end(scripted('1', `<p>cookies of ${(request.headers.cookie ?? '').length} characters</p>`));
      };
      return {
        '/bomb': scripted(
          'for(let n=0;n<180;n++)document.cookie="c"+n+"="+"x".repeat(4000)+";max-age=9999;path=/";location.reload()',
          '<img src=/after-part>',
        ),
        '/after-1': after,
        '/after-2': after,
      };
    },
    flags: () => ['--retries', '1'],
    ends: { '/bomb': ['captured', 'http-error', 'unreachable'], '/after-1': 'captured', '/after-2': 'captured' },
    also: ({ page }) =>
      must(!/reset/.test(page('/bomb')?.detail ?? ''), `the reason of the bomb is "${page('/bomb')?.detail}"`),
  },
  {
    id: 'H23',
    attack: 'another program of the machine that asks the proxy',
    routes: () => ({ '/hostile': scripted('setInterval(()=>1,1000);fetch("/slow")'), '/slow': () => {} }),
    meanwhile: async ({ site }, node) => {
      const words = [
        `GET ${site.url}/foreign HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nConnection: close\r\n\r\n`,
        `CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\nGET /foreign HTTP/1.1\r\nHost: x\r\n\r\n`,
      ];
      for (const port of listeningPorts(node)) {
        for (const each of words) {
          const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(each));
          socket.on('error', () => {}).on('data', () => {});
          setTimeout(() => socket.destroy(), 1000);
        }
      }
      await wait(1100);
    },
    also: ({ world }) =>
      must(!world.site.asked.some(({ url }) => url.includes('/foreign')), 'the proxy asked the site for somebody else'),
  },
  {
    id: 'H24',
    attack: 'an index of 50,000 sitemaps, each of 50,000 pages',
    routes: ({ site }) => {
      const loc = (kind: string, name: string): string =>
        Array.from({ length: 50_000 }, (_, n) => `<${kind}><loc>${site.url}${name}${n}</loc></${kind}>`).join('');
      const index = `<sitemapindex>${loc('sitemap', '/sitemap-')}</sitemapindex>`;
      const pages = loc('url', '/entry/NUMBER-');
      return {
        '/hostile': '<!doctype html><title>h</title><p>beside it',
        '/robots.txt': (_request, response) =>
          void response.end(`User-agent: *\nAllow: /\nSitemap: ${site.url}/index.xml\n`),
        '/index.xml': (_request, response) => response.writeHead(200, { 'content-type': 'application/xml' }).end(index),
        '*': (request, response) => {
          const number = /sitemap-(\d+)/.exec(request.url ?? '')?.[1];
          response.writeHead(number === undefined ? 404 : 200, { 'content-type': 'application/xml' });
          response.end(number === undefined ? '' : `<urlset>${pages.replaceAll('NUMBER', number)}</urlset>`);
        },
      };
    },
    flags: () => ['--exclude', '/entry/', '--limit', '20', '--time-limit', '20s'],
    also: ({ world, seconds }) => {
      const asked = world.site.asked.filter(({ url }) => url.startsWith('/sitemap-')).length;
      return [
        ...must(asked <= 500, `${asked} sitemaps were asked for, not at most 500`),
        ...must(seconds < 45, `the crawl took ${Math.round(seconds)} s, whatever its limit of 20 s`),
      ];
    },
  },
  {
    id: 'H25',
    attack: 'a host that says "in a thousand million seconds"',
    routes: () => ({
      '/hostile': (_request, response) => response.writeHead(503, { 'retry-after': '1e9' }).end(),
      '/robots.txt': (_request, response) => response.writeHead(404).end(),
    }),
    flags: () => ['--retries', '1', '--max-retry-after', '5s'],
    ends: { '/hostile': 'http-error' },
    also: ({ world }) =>
      must(
        world.site.asked.filter(({ url }) => url === '/hostile').length === 2,
        'it was not tried again after the wait',
      ),
  },
  {
    id: 'H26',
    attack: 'marks of terminals in what other commands print as JSON',
    routes: () => ({
      '/hostile': scripted(
        `document.title=${JSON.stringify(MARKS)}`,
        `<a href="/kept?${encodeURIComponent('\u0085\u202e')}">${MARKS}</a>`,
      ),
      '*': '<!doctype html><title>kept</title><p>kept for those who ask',
    }),
    also: async (crawled) => {
      const url = `${crawled.world.site.url}/hostile`;
      const words = [
        ['explain', crawled.folder, url, '--json'],
        ['links', crawled.folder, '--from', url, '--json'],
      ];
      const told = await Promise.all(words.map((each) => shown(crawled, each)));
      return told.flatMap((text, n) => [
        ...must(text.includes('"'), `${words[n]?.[0]} --json shows nothing`),
        ...must(rawControls(text).length === 0, `${words[n]?.[0]} --json shows ${rawControls(text).join(' ')}`),
      ]);
    },
  },
  {
    id: 'H27',
    attack: 'beacons, pings and requests that outlive their page',
    paths: ['/beacons', '/keepalive'],
    routes: () => ({
      '/beacons': scripted("for(let n=0;n<3000;n++)navigator.sendBeacon('/sink?b'+n,'x')"),
      '/keepalive': scripted(
        "for(let n=0;n<3000;n++)fetch('/sink?k'+n,{method:'POST',keepalive:true,body:'x'}).catch(()=>{});for(let n=0;n<300;n++){const a=document.createElement('a');a.href='#';a.ping='/sink?p'+n;document.body.append(a);a.click()}",
      ),
      '*': (_request, response) => response.writeHead(204).end(),
    }),
    ends: { '/beacons': ['captured', 'timed-out'], '/keepalive': ['captured', 'timed-out'] },
    also: ({ world }) =>
      [/^\/sink\?b/, /^\/sink\?[kp]/].flatMap((kind) => {
        const count = world.site.asked.filter(({ url }) => kind.test(url)).length;
        return must(count <= 500, `${count} requests of one visit came, not at most 500`);
      }),
  },
  {
    id: 'H29',
    attack: 'tables and files of a crawl that others on the machine could read',
    routes: () => ({ '/hostile': '<!doctype html><title>h</title><p>private words' }),
    also: async ({ folder }) => {
      const base = join(folder, '..', 'exports');
      const words = ['export', folder, '--csv', join(base, 'csv'), '--sitemap', join(base, 'sitemap.xml')];
      await mkdir(base);
      const { code, output } = await runCommand(words, join(folder, '..')).ended;
      const files = (await readdir(base, { recursive: true, withFileTypes: true }).catch(() => [])).filter((each) =>
        each.isFile(),
      );
      const modes = await Promise.all(
        files.map(async (each) => [each.name, (await stat(join(each.parentPath, each.name))).mode & 0o777] as const),
      );
      return [
        ...must(code === 0 && files.length >= 4, `export ended with ${code}: ${output.slice(-200)}`),
        ...modes.flatMap(([name, mode]) => must((mode & 0o077) === 0, `${name} has mode ${mode.toString(8)}`)),
      ];
    },
  },
  {
    id: 'H30',
    attack: 'tokens in the queries of pages that fail',
    paths: [
      '/fails?token=geheim-1',
      '/fails?api_key=geheim-2',
      '/fails?X-Amz-Signature=geheim-3',
      '/drops?access_token=geheim-4',
    ],
    routes: () => ({
      '*': (request, response) => {
        if (request.url?.startsWith('/drops') === true) request.socket.resetAndDestroy();
        else response.writeHead(500, { 'content-type': 'text/html' }).end('<title>x</title>');
      },
    }),
    flags: () => ['-v', '--log-level', 'debug', '--keep-query-params', 'token,api_key,access_token,X-Amz-Signature'],
    ends: {},
    also: ({ log, terminal, pages }) => {
      const told = [...log, terminal.toString('utf8')].join('\n');
      return [
        ...must(pages.filter(({ url }) => url.includes('geheim')).length === 4, 'the records do not name the pages'),
        ...must(!told.includes('geheim'), `the log or the terminal tells ${/geheim-\d/.exec(told)?.[0]}`),
      ];
    },
  },
  {
    id: 'H33',
    attack: '300 pictures, each answered in another way that is no HTTP',
    // parts are requested at 20 a second
    flags: () => ['--settle-timeout', '9s', '--page-timeout', '20s'],
    routes: () => ({
      '/hostile': scripted(`for(let n=0;n<300;n++){const i=new Image();i.src='/wrong?'+n;document.body.append(i)}`),
      '*': (request, response) => raw(wrongAnswer(Number(request.url?.split('?')[1] ?? 0)))(request, response),
    }),
  },
];
