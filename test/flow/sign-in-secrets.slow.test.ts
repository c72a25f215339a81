/** Ten secrets of one crawl, planted where users and sites keep them; the test looks for them everywhere else. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { FixtureServer } from '../render/fixture-server.ts';

const BASIC = 'qzw8-basic-password';
const SECRETS = {
  'password of --http-auth': BASIC,
  'what is sent for it': Buffer.from(`staff:${BASIC}`).toString('base64'),
  'password of the form': 'qzw8-form-password',
  'secret of one-time passwords': 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  'session cookie': 'qzw8-session-cookie',
  'session cookie after the second log-in': 'qzw8-second-session',
  'refresh token in the local storage': 'qzw8-refresh-token',
  'cookie of the storage state': 'qzw8-state-cookie',
  'local storage of the storage state': 'qzw8-state-local',
  'value of --header': 'qzw8-header-value',
} as const;

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-planted-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Files below a folder that contain a text, after decompression. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if ((path.includes('.gz') ? gunzipSync(bytes) : bytes).includes(text)) found.push(relative(folder, path));
  }
  return found;
}

/** Arguments of all readable processes of this machine. */
async function allArguments(): Promise<string> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')));
  return texts.join('\n');
}

test('of ten secrets that a signed-in crawl works with, none is in a record, a log, an argument or another host’s requests', async () => {
  const heard: string[] = [];
  await using other = await FixtureServer.open({
    '/seen.png': (_request, response) => void response.end('x'),
    '/page': '<title>elsewhere</title>',
  });
  let logIns = 0;
  let served = 0;
  let argumentsSeen = '';
  const sids = ['qzw8-session-cookie', 'qzw8-second-session'];
  const page = (title: string, links: string): string =>
    `<title>${title}</title><nav id=user-menu></nav><img src="${other.url('/seen.png', 'localhost')}"><a href="${other.url('/page', 'localhost')}">out</a>${links}<script>console.error('done')</script>`;
  const site = await FixtureServer.open({});
  await using _site = site;
  const guarded =
    (title: string, links: string) =>
    async (request: (typeof site.requests)[number], response: ServerResponse): Promise<void> => {
      heard.push(request.rawHeaders.join('\n'));
      if (request.headers.authorization !== `Basic ${SECRETS['what is sent for it']}`)
        return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
      argumentsSeen += await allArguments();
      const sid = sids[logIns - 1] ?? 'none';
      if (!(request.headers.cookie ?? '').includes(sid) || (logIns === 1 && ++served > 2))
        return void response.writeHead(302, { location: '/login' }).end();
      response.writeHead(200, { 'content-type': 'text/html' }).end(page(title, links));
    };
  site.add({
    '/': (request, response) => void guarded('home', '<a href=/one>1</a><a href=/two>2</a>')(request, response),
    '/one': (request, response) => void guarded('one', '<a href=/three>3</a>')(request, response),
    '/two': (request, response) => void guarded('two', '')(request, response),
    '/three': (request, response) => void guarded('three', '')(request, response),
    '/login': (request, response) => {
      heard.push(request.rawHeaders.join('\n'));
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push(body);
        if (request.method === 'POST') {
          logIns += 1;
          const script = `<script>localStorage.setItem('refresh', '${SECRETS['refresh token in the local storage']}')</script>`;
          response
            .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `sid=${sids[logIns - 1] ?? ''}; Path=/` })
            .end(page('in', script));
        } else
          response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              '<title>sign in</title><form method=post><input id=password name=password type=password><input id=code name=code><button>go</button></form>',
            );
      });
    },
  });
  await writeFile(
    join(base, 'login.yaml'),
    "url: /login\nsteps:\n  - { fill: '#password', with: '${env:SITE_PASSWORD}' }\n  - { fill: '#code', totp: '${env:SITE_TOTP}' }\n  - { click: button }\n",
  );
  const origin = new URL(site.url('/')).origin;
  const stored = (name: string, value: string): object => ({ name, value, domain: '127.0.0.1', path: '/' });
  await writeFile(
    join(base, 'state.json'),
    JSON.stringify({
      cookies: [stored('sid', SECRETS['cookie of the storage state'])],
      origins: [{ origin, localStorage: [{ name: 'old', value: SECRETS['local storage of the storage state'] }] }],
    }),
  );
  const words = [
    ...['crawl', site.url('/'), '-o', 'out', '--delay', '0', '-v', '--log-level', 'debug', '--keep-state'],
    ...[
      '--snapshot',
      'html,text,warc',
      '--allow-private',
      '127.0.0.0/8',
      '--allow-private',
      '::1',
      '--extra-hops',
      '1',
      '--workers',
      '1',
    ],
    ...['--storage-state', 'state.json', '--login', 'login.yaml', '--signed-in', 'selector:#user-menu'],
  ];
  const { code, output } = await runCommand(words, base, {
    ORBWEAVER_HTTP_AUTH: `staff:${BASIC}@127.0.0.1`,
    ORBWEAVER_HEADER: `X-Key: ${SECRETS['value of --header']}`,
    SITE_PASSWORD: SECRETS['password of the form'],
    // the second log-in waits for the next one-time password: at most 2 s, not half a minute
    SITE_TOTP: `otpauth://totp/x?secret=${SECRETS['secret of one-time passwords']}&period=2`,
  }).ended;
  expect(code).toBe(0);
  expect(logIns).toBe(2);
  expect(output).toMatch(/4 pages captured|5 pages captured/);
  const elsewhere = other.requests.map(({ rawHeaders, url }) => `${url} ${rawHeaders.join('\n')}`).join('\n');
  expect(elsewhere).toContain('/seen.png');
  expect(argumentsSeen).toContain('--storage-state');
  const places: string[] = [];
  for (const [name, secret] of Object.entries(SECRETS)) {
    for (const file of await filesWith(join(base, 'out'), secret)) places.push(`${name}: ${file}`);
    if (output.includes(secret)) places.push(`${name}: output`);
    if (argumentsSeen.includes(secret)) places.push(`${name}: arguments`);
    if (elsewhere.includes(secret)) places.push(`${name}: another host`);
  }
  expect(places).toEqual([]);
  // all were in use: except the secret of the one-time passwords, the site has received or given each of them
  const used = heard.join('\n');
  for (const name of [
    'what is sent for it',
    'password of the form',
    'session cookie',
    'cookie of the storage state',
    'value of --header',
  ] as const)
    expect(used).toContain(SECRETS[name]);
});
