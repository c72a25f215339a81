/** F52 to F59: data from a page that goes into records, tables, files and terminals. */
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../support/command.ts';
import { parseCsv } from '../support/csv.ts';
import { CommandRun } from './command-run.ts';
import { must, scripted, type CrawlFixture, type Crawled, type Route } from './fixture.ts';
import { rawControls } from './terminal-bytes.ts';

const linking = (urls: readonly string[]): string =>
  `<!doctype html><title>links</title><p>Many ways.</p>${urls.map((url) => `<a href="${url}">x</a>`).join('\n')}`;

const bytes =
  (body: Buffer, type: string): Route =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

/** Control sequences of terminals: clear screen, title, link, bell, C1 and direction marks. */
export const MARKS =
  '\u001b[2J\u001b]0;owned\u0007\u001b]8;;http://x\u0007link\u009b31m\u202egnp.exe\u2066\u0085\u007f';

/** The output of another command on its own terminal. */
export async function shown(crawled: Crawled, words: readonly string[]): Promise<string> {
  const base = await mkdtemp(join(crawled.folder, '..', 'shown-'));
  const command = await CommandRun.start(words, base);
  return (await command.ended()).terminal.toString('utf8');
}

async function exported(crawled: Crawled): Promise<string> {
  const folder = join(crawled.folder, '..', 'tables');
  await runCommand(['export', crawled.folder, '--csv', folder], join(crawled.folder, '..')).ended;
  return folder;
}

const ENCODINGS: Readonly<Record<string, { readonly route: Route; readonly title: string }>> = {
  '/latin': {
    route: bytes(Buffer.from('<title>caf\xe9</title><p>x', 'latin1'), 'text/html; charset=iso-8859-1'),
    title: 'café',
  },
  '/invalid': {
    route: bytes(Buffer.from('<title>a\xff\x80b</title><p>x', 'latin1'), 'text/html; charset=utf-8'),
    title: 'a\ufffd\ufffdb',
  },
  '/marked': {
    route: bytes(
      Buffer.from('\ufeff<title>caf\u00e9</title><meta charset=iso-8859-1><p>x'),
      'text/html; charset=windows-1251',
    ),
    title: 'café',
  },
  '/meta': {
    route: bytes(Buffer.from('<meta charset=windows-1251><title>\xcf\xf0</title><p>x', 'latin1'), 'text/html'),
    title: 'Пр',
  },
  '/wide': {
    route: bytes(Buffer.from('\ufeff<title>wide</title><p>x', 'utf16le'), 'text/html; charset=utf-8'),
    title: 'wide',
  },
  '/escaped': {
    route: bytes(Buffer.from('<title>\x1b$B$"\x1b(B</title><p>x', 'latin1'), 'text/html; charset=iso-2022-jp'),
    title: 'あ',
  },
  '/utf-7': {
    route: bytes(Buffer.from('<title>+ADw-script+AD4-</title><p>x'), 'text/html; charset=utf-7'),
    title: '+ADw-script+AD4-',
  },
};

const NAMES = [
  '/../../up',
  '/%2e%2e/%2e%2e/up',
  '/a%2fb',
  '/CON',
  '/nul.txt',
  '/a.',
  '/A.',
  `/${'n'.repeat(300)}`,
  '/a%00b',
  '/..%5c..%5cx',
];

export const DATA_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F52',
    attack: 'URLs of megabytes, of NULs, of 10,000 parameters, of halves of characters',
    routes: () => ({
      '/hostile': linking([
        `/${'&#1;'.repeat(68)}`,
        `/nul${'%00'.repeat(20_000)}`,
        `/${'a'.repeat(2e6)}`,
        `/?${Array.from({ length: 10_000 }, (_, n) => `p${n}=1`).join('&amp;')}`,
        '/half-&#xD800;-half',
        '/%00',
        '/%2e%2e/%2e%2e',
        String.raw`\\back\slashes`,
        'http://[not an address/',
        'http://a b/',
      ]),
    }),
    flags: () => ['--exclude', '%00|half|\u0001'],
    also: ({ skipped, log }) => [
      ...must(
        skipped.some(({ reason }) => reason === 'too-long'),
        'no URL is recorded as too long',
      ),
      ...must(
        skipped.every(({ url }) => url.length <= 4096),
        'a URL of more than 4,096 characters is recorded',
      ),
      ...must(
        log.every((line) => line.length < 4096),
        'a line of the log is longer than 4,096 characters',
      ),
    ],
  },
  {
    id: 'F53',
    attack: 'text in encodings that contradict each other, or are none',
    paths: Object.keys(ENCODINGS),
    routes: () => Object.fromEntries(Object.entries(ENCODINGS).map(([path, { route }]) => [path, route])),
    also: ({ page }) =>
      Object.entries(ENCODINGS).flatMap(([path, { title }]) =>
        must(
          page(path)?.title === title,
          `${path} is called ${JSON.stringify(page(path)?.title)}, not ${JSON.stringify(title)}`,
        ),
      ),
  },
  {
    id: 'F54',
    attack: 'host names that look like others, and those that are none',
    routes: () => ({
      '/hostile': linking([
        'http://аpple.example/',
        'http://xn--a-ecp.example/',
        'http://xn--0.example/',
        'http://💩.example/',
        'http://UPPER.example./',
        'http://under_score.example/',
        `http://${'l'.repeat(64)}.example/`,
      ]),
    }),
    also: ({ skipped }) => [
      ...must(
        skipped.some(({ url }) => url === 'http://xn--pple-43d.example/'),
        'the name with a Cyrillic letter is not recorded by its A-label',
      ),
      ...must(
        skipped.every(({ url }) => !url.includes('а')),
        'a URL is recorded with the letter that deceives',
      ),
    ],
  },
  {
    id: 'F55',
    attack: 'passwords and tokens in links and redirects',
    paths: ['/hostile', '/redirect'],
    routes: ({ site }) => ({
      '/hostile': linking([
        `http://user:geheim-1@127.0.0.1:${site.port}/kept`,
        '/kept?token=geheim-2',
        '/kept?access_token=geheim-3&amp;sig=geheim-4',
        `http://user:geheim-5@elsewhere.example/?password=geheim-6`,
      ]),
      '/redirect': (_request, response) =>
        response.writeHead(302, { location: `http://user:geheim-7@127.0.0.1:${site.port}/kept?secret=geheim-8` }).end(),
      '*': '<!doctype html><title>kept</title><p>kept for those who have the token',
    }),
    flags: () => ['-v'],
    ends: { '/hostile': 'captured', '/redirect': 'redirected' },
    also: async (crawled) => {
      const records = JSON.stringify([crawled.pages, crawled.skipped, crawled.links.map(({ to }) => to)]);
      const told = crawled.log.join('\n') + crawled.terminal.toString('utf8');
      const names = (await readdir(crawled.folder, { recursive: true })).join('\n');
      return [
        ...must(!/geheim-[157]/.test(records), 'a password of a URL is recorded'),
        ...must(!/geheim/.test(told), `the log or the terminal tells ${/geheim-\d/.exec(told)?.[0]}`),
        ...must(!/geheim/.test(names), 'the name of a file tells a secret'),
      ];
    },
  },
  {
    id: 'F56',
    attack: 'marks of terminals and lines of a forged log in titles, URLs, headers and texts',
    paths: ['/hostile', '/redirect', '/type'],
    routes: () => ({
      '/hostile': scripted(
        `document.title=${JSON.stringify(`${MARKS}\r\n{"level":"error","msg":"forged"}`)};console.error(document.title);throw new Error(document.title)`,
        `<a href="/kept?${encodeURIComponent(MARKS)}">${MARKS}</a>`,
      ),
      '/redirect': (_request, response) =>
        response.writeHead(302, { location: `/kept?${encodeURIComponent('\u202e')}` }).end(),
      '/type': (_request, response) =>
        response.writeHead(404, { 'content-type': 'text/\u009b31m', 'x-a': 'a\u0085b' }).end('<title>x</title>'),
      '*': '<!doctype html><title>kept</title><p>kept',
    }),
    flags: () => ['-v', '--log-level', 'debug'],
    ends: { '/hostile': 'captured', '/redirect': 'redirected', '/type': 'http-error' },
    quick: true,
  },
  {
    id: 'F57',
    attack: 'titles that a spreadsheet would run',
    paths: ['/equals', '/plus', '/at', '/tab', '/lines'],
    routes: () =>
      Object.fromEntries(
        Object.entries({
          equals: '=HYPERLINK("http://x")',
          plus: '+cmd|/c calc!A0',
          at: '@SUM(1)',
          tab: '&#9;=1',
          lines: 'a&#13;&#10;=1',
        }).map(([name, title]) => [`/${name}`, `<!doctype html><title>${title}</title><p>of ${name}</p>`]),
      ),
    also: async (crawled) => {
      const folder = await exported(crawled);
      const text = await readFile(join(folder, 'pages.csv'), 'utf8');
      const cells = parseCsv(text).flat();
      return [
        ...must(cells.length > 100, 'the table is empty'),
        ...cells
          .filter((cell) => /^[=+@\t\r]/.test(cell))
          .map((cell) => `a cell begins with ${JSON.stringify(cell.slice(0, 20))}`),
      ];
    },
  },
  {
    id: 'F58',
    attack: 'markup and marks of terminals in what other commands show of a crawl',
    // no command writes HTML: output is text on a terminal, and XML in files
    routes: () => ({
      '/hostile': scripted(
        `document.title=${JSON.stringify(`</script><img src=x onerror=alert(1)>${MARKS}`)}`,
        `<a href="/kept?&lt;/loc&gt;&amp;x">${MARKS}</a><p>${MARKS.replaceAll('\u001b', '&#27;')}</p>`,
      ),
      '*': '<!doctype html><title>kept</title><p>kept for those who ask',
    }),
    also: async (crawled) => {
      const url = `${crawled.world.site.url}/hostile`;
      const sitemap = join(crawled.folder, '..', 'sitemap.xml');
      await runCommand(['export', crawled.folder, '--sitemap', sitemap], join(crawled.folder, '..')).ended;
      const words = [
        ['explain', crawled.folder, url],
        ['links', crawled.folder, '--from', url],
        ['show', crawled.folder, url],
      ];
      const told = await Promise.all(words.map((each) => shown(crawled, each)));
      return [
        ...told.flatMap((text, n) =>
          must(rawControls(text).length === 0, `${words[n]?.[0]} shows ${rawControls(text).join(' ')}`),
        ),
        ...must(!/<loc>[^<]*[<>"][^<]*<\/loc>/.test(await readFile(sitemap, 'utf8')), 'the sitemap holds raw markup'),
      ];
    },
  },
  {
    id: 'F59',
    attack: 'URLs that climb out of folders, or are names of devices',
    routes: () => ({
      '/hostile': linking(NAMES),
      '*': (request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>n</title><p>the page of ${encodeURIComponent(request.url ?? '')}`),
    }),
    flags: () => ['--snapshot', 'html,text,screenshot'],
    also: async ({ folder }) => {
      const entries = await readdir(join(folder, 'snapshots'), { recursive: true, withFileTypes: true });
      const outside = (await readdir(join(folder, '..'))).filter(
        (name) => !/^(?:whole|interrupted|temporary-.*)$/.test(name),
      );
      return [
        ...entries
          .filter(
            (entry) =>
              !(entry.isDirectory() ? /^[0-9a-f]{2}$/ : /^[0-9a-f]{20}(?:-[a-z0-9-]{1,100})?\.[a-z]+$/).test(
                entry.name,
              ),
          )
          .map(({ name }) => `a snapshot is called ${name}`),
        ...must(outside.length === 0, `there are files beside the crawl folder: ${outside.join(', ')}`),
        ...must((await stat(join(folder, 'pages.jsonl'))).size > 0, 'there are no pages'),
      ];
    },
  },
];
