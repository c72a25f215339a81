/** Whole crawls behind the user's proxy. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf, pathsOf, runCrawl } from '../support/crawl-run.ts';
import { userProxy } from '../support/forward-proxies.ts';
import { httpOrigin, rawOrigin } from '../support/origin.ts';

const PASSWORD = 'qzw8pw+1/%';
const CREDENTIAL = `qzw8me:${PASSWORD}`;
const BASIC = Buffer.from(CREDENTIAL).toString('base64');
/** Every form in which the credential could be written. */
const FORMS = ['qzw8', BASIC, encodeURIComponent(PASSWORD)];

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-proxy-'));
  await chmod(base, 0o755);
});
afterEach(() => rm(base, { recursive: true, force: true }));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = '/' } = request;
  if (url === '/robots.txt') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *');
  if (url === '/part') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  const links = url === '/' ? '<a href=/a>a</a> <a href=/b>b</a>' : '';
  const body = `<!doctype html><title>${url}</title><p>${url}${links}<script>fetch('/part')</script>`;
  response.writeHead(200, { 'content-type': 'text/html' }).end(body);
}

/** Files below a folder that contain one of the texts, after decompression. */
async function filesWith(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const content = path.includes('.gz') ? gunzipSync(bytes) : bytes;
    if (texts.some((text) => content.includes(text))) found.push(relative(folder, path));
  }
  return found.toSorted();
}

test.each([
  ['http', 'always'],
  ['http', 'never'],
  ['https', 'always'],
  ['https', 'never'],
  ['socks5', 'always'],
  ['socks5', 'never'],
] as const)(
  'a crawl through a proxy of scheme %s (--render %s) comes from the proxy alone, and keeps its password to itself',
  async (scheme, render) => {
    const ports: number[] = [];
    await using site = await httpOrigin((request, response) => {
      ports.push(request.socket.remotePort ?? 0);
      answer(request, response);
    });
    await using proxy = await userProxy(scheme, { credential: CREDENTIAL });
    const variables: Record<string, string> = { ORBWEAVER_PROXY_AUTH: CREDENTIAL };
    if (proxy.certificate !== null) {
      variables['NODE_EXTRA_CA_CERTS'] = join(base, 'authority.pem');
      await writeFile(variables['NODE_EXTRA_CA_CERTS'], proxy.certificate);
    }
    const words = ['crawl', `${site.url}/`, '-o', 'out', '--proxy', proxy.url, '--render', render, '--delay', '0'];
    const more = ['-v', '--log-level', 'debug', '--log-json', '--keep-state'];
    const archive = scheme === 'http' && render === 'always' ? ['--snapshot', 'html,warc'] : [];
    const { code, output } = await runCommand([...words, ...more, ...archive], base, variables).ended;
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const pages = await linesOf<PageRecord>(join(base, 'out'), 'pages.jsonl');
    const captured = pages.filter(({ outcome }) => outcome === 'captured').map(({ url }) => new URL(url).pathname);
    expect(captured.toSorted()).toEqual(['/', '/a', '/b']);
    expect(site.requests).toContain('GET /robots.txt');
    if (render === 'always') expect(site.requests).toContain('GET /part');
    expect(ports.filter((port) => !proxy.ports.has(port))).toEqual([]);
    expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${site.port}`]));
    expect(proxy.shown.length).toBeGreaterThan(0);
    for (const form of FORMS) expect(output).not.toContain(form);
    expect(await filesWith(join(base, 'out'), FORMS)).toEqual([]);
    const { options } = JSON.parse(await readFile(join(base, 'out/crawl.json'), 'utf8')) as {
      options: { proxy: string };
    };
    expect(options.proxy).toBe(proxy.url);
  },
);

test('a crawl does not begin with a password that is wrong, and says where the right one goes', async () => {
  await using site = await httpOrigin(answer);
  for (const scheme of ['http', 'socks5'] as const) {
    await using proxy = await userProxy(scheme, { credential: CREDENTIAL });
    const words = ['crawl', `${site.url}/`, '-o', 'out', '--proxy', proxy.url, '--render', 'never'];
    const wrong = await runHere(words, base, {}, { ORBWEAVER_PROXY_AUTH: 'qzw8me:qzw8wrong' });
    const none = await runHere(words, base);
    for (const { code, output } of [wrong, none]) {
      expect(code).toBe(2);
      expect(output).toMatch(
        /the proxy (?:http|socks5):\/\/127\.0\.0\.1:\d+ (?:does not accept|asks for).*PROXY_UNUSABLE/,
      );
      expect(output).toContain('ORBWEAVER_PROXY_AUTH=user:password');
      expect(output).not.toContain('qzw8');
    }
    const argument = proxy.url.replace('://', '://qzw8me:qzw8pw@');
    const shown = await runHere(words.with(5, argument), base);
    expect(shown).toMatchObject({ code: 2, output: expect.stringMatching(/--proxy: a URL with a user/) as string });
    expect(shown.output).not.toContain('qzw8');
  }
  expect([site.requests, await readdir(base)]).toEqual([[], []]);
});

test.each([
  ['is gone', 'http', null, /cannot be reached: .*ECONNREFUSED[^]*Check the address/],
  ['hangs', 'http', '', /did not answer within \d+ ms[^]*Check the address/],
  ['speaks otherwise', 'http', 'SSH-2.0-x\r\n\r\n', /does not answer as an HTTP proxy does[^]*Check the scheme/],
  ['speaks no SOCKS', 'socks5', 'HTTP/1.1 400 Bad Request\r\n\r\n', /does not answer as such a proxy does/],
  ['speaks no TLS', 'https', 'HTTP/1.1 400 Bad Request\r\n\r\n', /is not accepted over TLS[^]*NODE_EXTRA_CA_CERTS/],
  [
    'forbids addresses',
    'http',
    'HTTP/1.1 403 Forbidden\r\n\r\n',
    /refuses to connect to the address[^]*let it allow CONNECT/,
  ],
] as const)('a crawl does not begin with a proxy that %s', async (_what, scheme, words, says) => {
  await using site = await httpOrigin(answer);
  await using proxy = await rawOrigin((socket) => {
    socket.on('end', () => socket.end()).resume();
    socket.once('data', () => socket.write(words ?? ''));
  });
  if (words === null) await proxy[Symbol.asyncDispose]();
  const url = `${scheme}://127.0.0.1:${proxy.port}`;
  const args = ['crawl', `${site.url}/`, '-o', 'out', '--proxy', url, '--render', 'never'];
  const { code, output } = await runHere(args, base);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringMatching(says) as string });
  expect(output).toContain(`the proxy ${url} `);
  expect([site.requests, await readdir(base)]).toEqual([[], []]);
});

test.each(['never', 'always'] as const)(
  'a proxy that fails in the middle of a crawl makes pages unreachable, after further tries (--render %s)',
  async (render) => {
    await using proxy = await userProxy('http');
    await using site = await httpOrigin((request, response) => {
      response.setHeader('connection', 'close'); // so that each request needs the proxy
      answer(request, response);
      if (request.url === '/') proxy.giveUp();
    });
    const run = await runCrawl({
      seeds: [`${site.url}/`],
      proxy: proxy.url,
      render,
      retries: 1,
      sitemap: false,
      delay: 0,
    });
    expect(pathsOf(run)).toEqual(['/']);
    const failed = run.pages.filter(({ url }) => /\/[ab]$/.test(url));
    expect(failed.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
      ['unreachable', 2],
      ['unreachable', 2],
    ]);
    for (const page of failed) expect(JSON.stringify(page)).toMatch(/"detail":"(?:the )?proxy\b/);
    expect(run.report.end).toBe('all-visited');
  },
);

test('a page cannot reach the proxy itself, whatever is allowed', async () => {
  await using proxy = await userProxy('http');
  await using site = await httpOrigin((request, response) => {
    if (request.url !== '/') return answer(request, response);
    const tries = ['127.0.0.1', 'localhost', '[::1]', '0x7f.1'].map(
      (host) => `fetch('http://${host}:${proxy.port}/x',{mode:'no-cors'})`,
    );
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<title>x</title><a href="http://127.0.0.1:${proxy.port}/link">x</a><img src="http://127.0.0.1:${proxy.port}/i"><script>${tries.join(';')}</script>`,
      );
  });
  const run = await runCrawl({
    seeds: [`${site.url}/`],
    scope: 'any',
    render: 'always',
    proxy: proxy.url,
    allowPrivate: ['127.0.0.0/8', '::1', `127.0.0.1:${proxy.port}`],
    delay: 0,
  });
  expect(pathsOf(run)).toContain('/');
  expect(run.skipped.get(`http://127.0.0.1:${proxy.port}/link`)).toMatchObject({ reason: 'blocked-address' });
  expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${site.port}`]));
});

test('a folder is crawled without the proxy, and an ungated browser is refused one', async () => {
  await using proxy = await userProxy('http');
  await writeFile(join(base, 'index.html'), '<!doctype html><title>Site</title>');
  const run = await runCrawl({ seeds: [base], proxy: proxy.url, render: 'never', sitemap: false });
  expect(pathsOf(run)).toEqual(['/']);
  expect(proxy.asked).toEqual([]);
  const ungated = ['--browser', 'ws://127.0.0.1:9/', '--ungated-browser'];
  const words = ['crawl', 'http://127.0.0.1:9/', '-o', 'out', '--proxy', proxy.url, ...ungated];
  const { code, output } = await runHere(words, base);
  expect({ code, output }).toMatchObject({
    code: 2,
    output: expect.stringMatching(/does not pass through this program[^]*leave proxy out/) as string,
  });
});

test('a crawl that went through a proxy is resumed with the proxy given again', async () => {
  await using proxy = await userProxy('http');
  await using site = await httpOrigin(answer);
  const words = ['crawl', `${site.url}/`, '-o', 'out', '--proxy', proxy.url, '--render', 'never', '--limit', '1'];
  const first = await runHere([...words, '--no-sitemap'], base);
  expect(first.code).toBe(0);
  expect(first.output).toContain(`--proxy ${proxy.url}`);
  const without = await runHere(['resume', 'out', '--limit', '10'], base);
  expect(without).toMatchObject({ code: 2, output: expect.stringMatching(/was started with the proxy/) as string });
  const again = await runHere(['resume', 'out', '--limit', '10', '--proxy', proxy.url], base);
  expect(again.code).toBe(0);
  const pages = await linesOf<PageRecord>(join(base, 'out'), 'pages.jsonl');
  expect(pages.filter(({ outcome }) => outcome === 'captured').length).toBe(3);
});
