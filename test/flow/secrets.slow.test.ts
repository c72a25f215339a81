/** Secrets from the user, and secrets in a site's URLs: where they appear afterwards, and where not. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resumeCrawl, startCrawl } from '../../src/crawl/start-crawl.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { httpOrigin } from '../support/origin.ts';

const SECRETS = ['qzw8bearer-1', 'qzw8vault-2', 'qzw8cookie-3'] as const;
const HEADERS = [
  `Authorization: Bearer ${SECRETS[0]}`,
  `X-Vault-Token: ${SECRETS[1]}`,
  `Cookie: theme=dark; session=${SECRETS[2]}`,
];
const GIVEN = HEADERS.flatMap((line) => ['-H', line]);

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-secrets-'));
  await chmod(base, 0o755);
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Files below a folder that contain a text, after decompression. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const content = path.includes('.gz') ? gunzipSync(bytes) : bytes;
    if (content.includes(text)) found.push(relative(folder, path));
  }
  return found.toSorted();
}

test('no value of --header is in the folder of a crawl, or in what it says', async () => {
  const heard: string[] = [];
  await using site = await httpOrigin((request, response) => {
    heard.push(request.rawHeaders.join('\n'));
    const body = '<title>x</title><a href=/next>next</a><script>fetch("/part");console.error("done")</script>';
    response.writeHead(request.url === '/gone' ? 500 : 200, { 'content-type': 'text/html' }).end(body);
  });
  const words = ['crawl', `${site.url}/`, `${site.url}/gone`, '-o', 'out', '--delay', '0', '--retries', '0', '-v'];
  const more = [
    '--snapshot',
    'html,text,warc',
    '--log-level',
    'debug',
    '--log-json',
    '--keep-state',
    '--render',
    'always',
  ];
  const { code, output } = await runCommand([...words, ...more, ...GIVEN], base).ended;
  expect(code).toBe(0);
  for (const secret of SECRETS) {
    expect(heard.join('\n')).toContain(secret);
    expect(output).not.toContain(secret);
    expect(await filesWith(join(base, 'out'), secret)).toEqual([]);
  }
  const { options } = JSON.parse(await readFile(join(base, 'out/crawl.json'), 'utf8')) as {
    options: { headers: string[] };
  };
  expect(options.headers).toEqual(['Authorization: (redacted)', 'X-Vault-Token: (redacted)', 'Cookie: (redacted)']);
  const shown = await runHere(['show', 'out', '/', '--headers'], base);
  const told = await runHere(['explain', 'out', '/', '--json'], base);
  for (const secret of SECRETS) expect(shown.output + told.output).not.toContain(secret);
});

test('a site that repeats a secret gets it into its own page and links, and neither into the log nor onto the terminal', async () => {
  await using site = await httpOrigin((request, response) => {
    const [, bearer = ''] = (request.headers.authorization ?? '').split(' ');
    const body = `<title>${bearer}</title><p>${bearer}</p><a href="/gone/${bearer}">x</a><script>console.error("${bearer}")</script>`;
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(body);
  });
  for (const style of [['-v'], ['--log-json']]) {
    const words = [
      'crawl',
      `${site.url}/`,
      '-o',
      'out',
      '--overwrite',
      '--delay',
      '0',
      '--log-level',
      'debug',
      '--render',
      'always',
    ];
    const all = [...words, ...style, ...GIVEN];
    // a log on standard error is written past the shell of a command line in this process
    const { code, output } = style.includes('--log-json')
      ? await runCommand(all, base).ended
      : await runHere(all, base);
    expect(code).toBe(0);
    expect(output).toContain('/gone/');
    expect(output).not.toContain(SECRETS[0]);
    const files = await filesWith(join(base, 'out'), SECRETS[0]);
    expect(files.filter((name) => !name.startsWith('snapshots/'))).toEqual(
      ['graph/nodes', 'links.jsonl', 'pages.jsonl'].filter((name) => files.includes(name)),
    );
    expect(files).toContain('pages.jsonl');
  }
});

test('tokens in URLs are whole in the records, and neither in the log nor on the terminal', async () => {
  await using site = await httpOrigin((request, response) => {
    const body = '<title>x</title><a href="/gone?access_token=qzw8t&page=2">x</a>';
    response
      .writeHead(request.url?.startsWith('/gone') === true ? 404 : 200, { 'content-type': 'text/html' })
      .end(body);
  });
  const seed = `${site.url}/?sig=qzw8s`;
  const words = ['crawl', seed, '-o', 'out', '--delay', '0', '-v', '--log-level', 'debug', '--render', 'never'];
  const { code, output } = await runHere(words, base);
  expect(code).toBe(0);
  expect(output).toContain('/gone?access_token=REDACTED&page=2');
  expect(output).toContain('/?sig=REDACTED');
  expect(output).not.toMatch(/qzw8/);
  expect(await readFile(join(base, 'out/log.jsonl'), 'utf8')).not.toMatch(/qzw8/);
  expect(await readFile(join(base, 'out/pages.jsonl'), 'utf8')).toContain('/gone?access_token=qzw8t&page=2');
  const links = await runHere(['links', 'out', '--from', `${site.url}/?sig=qzw8s`, '--json'], base);
  expect(links.output).toContain('access_token=qzw8t');
  const refused = await runHere(['crawl', site.url.replace('http://', 'http://me:qzw8p@')], base);
  expect(refused).toMatchObject({
    code: 2,
    output: expect.stringMatching(/user name or password[^]*ORBWEAVER_HTTP_AUTH=<user>:<password>@/) as string,
  });
  expect(refused.output).not.toContain('qzw8p');
});

test('a crawl that had headers is resumed with all of them given again, and with no text in their place', async () => {
  const heard: string[] = [];
  await using site = await httpOrigin((request, response) => {
    heard.push(request.headers['x-vault-token']?.toString() ?? '');
    const links = Array.from({ length: 20 }, (_, index) => `<a href=/p${index}>x</a>`).join('');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>x</title>${links}`);
  });
  const output = join(base, 'out');
  {
    await using crawl = await startCrawl({
      seeds: [`${site.url}/`],
      output,
      headers: HEADERS,
      delay: 0,
      render: 'never',
      workers: 1,
    });
    for await (const event of crawl) {
      if (event.kind === 'page') {
        crawl.stop('drain');
        break;
      }
    }
    expect((await crawl.report()).state).toBe('interrupted');
  }
  const missing = await runHere(['resume', 'out', '-H', HEADERS[0] ?? '', '-H', HEADERS[2] ?? ''], base);
  expect(missing.code).toBe(2);
  expect(missing.output).toMatch(/values are not kept: X-Vault-Token\b[^]*--header/);
  heard.length = 0;
  await using crawl = await resumeCrawl(output, { headers: HEADERS });
  const report = await crawl.report();
  expect(report.state).toBe('finished');
  expect(report.notes.join('\n')).toContain(`headers are sent to ${site.url} and nowhere else`);
  expect(new Set(heard.filter((value) => value !== ''))).toEqual(new Set([SECRETS[1]]));
});

test('a crawl folder of somebody else starts no program and names no server when it is resumed', async () => {
  const trap = join(base, 'evil');
  await writeFile(trap, `#!/bin/sh\ntouch ${join(base, 'started')}\n`);
  await chmod(trap, 0o755);
  const description = {
    id: 'c-0123456789ab',
    state: 'interrupted',
    seeds: ['https://example.org/'],
    started: '2026-01-01T00:00:00.000Z',
  };
  await mkdir(join(base, 'crawl'));
  const resume = async (
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ code: number | null; output: string }> => {
    const content = { ...description, options: { seeds: ['https://example.org/'], ...options } };
    await writeFile(join(base, 'crawl/crawl.json'), JSON.stringify(content));
    return runHere(['resume', 'crawl'], base);
  };
  const browser = await resume({ browser: trap });
  expect(browser).toMatchObject({
    code: 2,
    output: expect.stringMatching(/evil.*starts no program[^]*--browser/) as string,
  });
  const redis = await resume({ redis: 'redis://192.0.2.1:6379/' });
  expect(redis).toMatchObject({
    code: 2,
    output: expect.stringMatching(/192\.0\.2\.1.*no server of others[^]*--redis/) as string,
  });
  for (const strange of [{ config: '/etc/passwd' }, { extensions: ['/tmp/evil.js'] }, { path: base }])
    expect(await resume(strange)).toMatchObject({
      code: 2,
      output: expect.stringContaining('unknown option') as string,
    });
  await expect(stat(join(base, 'started'))).rejects.toMatchObject({ code: 'ENOENT' });
});
