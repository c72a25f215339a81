/** Crawls of hosts with HTTP authentication: which hosts get the password, and the cost of a wrong one. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWindowBrowser } from '../../browsers/launch/find-browser.ts';
import { currentEnvironment } from '../../src/crawl/crawl-environment.ts';
import { runHere } from '../support/command-here.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { FixtureServer, type Route } from '../render/fixture-server.ts';

const PASSWORD = 'qzw8 p@ss:wörd';
const SENT = `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`;

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-http-auth-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const guarded =
  (body: string, type = 'text/html'): Route =>
  ({ headers }, response) => {
    if (headers.authorization === SENT) return void response.setHeader('content-type', type).end(body);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"', 'content-type': 'text/html' }).end('who?');
  };

describe('a host that asks for HTTP authentication', () => {
  test.each([
    ['auto', 'the usual browser', null],
    ['always', 'the usual browser', null],
    ['never', 'none', null],
    ['always', 'one with windows, which would ask a person', findWindowBrowser(currentEnvironment().browsers)],
  ] as const)(
    'is crawled with its password, which no other host gets and no page hangs on (render %s, browser: %s)',
    async (render, _which, browser) => {
      await using other = await FixtureServer.open({ '/seen.png': guarded('x'), '/asks': guarded('x') });
      await using site = await FixtureServer.open({
        '/robots.txt': guarded('User-agent: *\nDisallow: /secret', 'text/plain'),
        '/': guarded(
          `<title>home</title><script>document.title='home'</script><img src="${other.url('/seen.png')}"><a href=/one>1</a><a href=/secret>2</a><a href=/away>3</a><iframe src="${other.url('/asks')}"></iframe>`,
        ),
        '/one': guarded('<title>one</title>'),
        '/away': ({ headers }, response) =>
          void response.writeHead(headers.authorization === SENT ? 302 : 401, { location: other.url('/asks') }).end(),
      });
      const run = await runCrawl({
        seeds: [site.url('/')],
        delay: 0,
        render,
        ...(browser === null ? {} : { browser: browser.path }),
        httpAuth: [`alice:${PASSWORD}@127.0.0.1:${site.port}`],
        extraHops: 1,
        scope: 'host',
        allowPrivate: ['127.0.0.0/8'],
      });
      expect(pathsOf(run)).toEqual(['/', '/one']);
      expect(run.skipped.get(site.url('/secret'))?.reason).toBe('disallowed-by-robots');
      expect(other.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
      expect(render === 'never' || other.paths().includes('/seen.png')).toBe(true);
      const timed = run.pages.filter(({ outcome, settle }) => outcome === 'timed-out' || settle.reason === 'timeout');
      expect(timed).toEqual([]);
    },
  );

  test('leaves the requests of its scripts the Authorization that they have, as browsers do', async () => {
    const heard: (string | undefined)[] = [];
    const script = `fetch('/api', { headers: { Authorization: 'Bearer of-the-page' } })
      .then((answer) => answer.text()).then((text) => { document.body.innerHTML = text; })`;
    await using site = await FixtureServer.open({
      '/': guarded(`<title>home</title><body><script>${script}</script>`),
      '/api': ({ headers }, response) => {
        heard.push(headers.authorization);
        response.writeHead(headers.authorization === 'Bearer of-the-page' ? 200 : 401).end('<a href=/one>1</a>');
      },
      '/one': guarded('<title>one</title>'),
    });
    const httpAuth = [`alice:${PASSWORD}@127.0.0.1:${site.port}`];
    const run = await runCrawl({ seeds: [site.url('/')], delay: 0, render: 'always', httpAuth });
    expect(heard).toEqual(['Bearer of-the-page']);
    expect(run.pages.map(({ title }) => title).toSorted()).toEqual(['home', 'one']);
  });

  test('is said once to refuse a wrong password, and nothing of it is taken for content', async () => {
    await using site = await FixtureServer.open({ '/': guarded('<title>home</title>') });
    const variables = { ORBWEAVER_HTTP_AUTH: `alice:qzw8wrong@127.0.0.1` };
    const { code, output } = await runHere(['crawl', site.url('/'), '-o', 'out', '--delay', '0'], base, {}, variables);
    expect(code).toBe(3);
    expect(output.match(/does not accept the user and the password/g)).toHaveLength(2); // as it happens, and in the summary
    expect(output).not.toContain('qzw8wrong');
    expect(await readFile(join(base, 'out/crawl.json'), 'utf8')).toContain('"(redacted)@127.0.0.1"');
    expect(await readFile(join(base, 'out/pages.jsonl'), 'utf8')).not.toContain('"captured"');
  });

  test.each([
    ['Digest realm="staff, Basic", qop="auth", nonce="a\\"b=="', 'Digest'],
    ['Negotiate, NTLM', 'Negotiate and NTLM'],
  ])('is said to ask for what the flag cannot give, and not to refuse the password: %s', async (challenge, scheme) => {
    await using site = await FixtureServer.open({
      '/': (_request, response) => void response.writeHead(401, { 'www-authenticate': challenge }).end('who?'),
    });
    const variables = { ORBWEAVER_HTTP_AUTH: 'alice:right@127.0.0.1' };
    const { output } = await runHere(['crawl', site.url('/'), '-o', 'out', '--delay', '0'], base, {}, variables);
    expect(output).toContain(
      `${new URL(site.url('/')).origin} asks for the user and the password by ${scheme}, and --http-auth sends them by Basic only`,
    );
    expect(output).not.toContain('does not accept');
  });

  test.each([
    ['auto', ['Digest realm="staff", nonce="1", basic realm="staff"']],
    ['auto', ['Basic']],
    ['auto', ['Bearer, Basic realm="x"']],
    ['never', ['Digest realm="staff", nonce=1', 'Basic realm="staff"']],
    ['always', ['Negotiate', 'NTLM', 'Basic realm="staff"']],
  ])('is said to refuse the password where Basic is among what it asks for (render %s): %s', async (render, asked) => {
    await using site = await FixtureServer.open({
      '/': (_request, response) => void response.writeHead(401, { 'www-authenticate': asked }).end('who?'),
    });
    const variables = { ORBWEAVER_HTTP_AUTH: 'alice:wrong@127.0.0.1' };
    const args = ['crawl', site.url('/'), '-o', 'out', '--delay', '0', '--render', render];
    const { output } = await runHere(args, base, {}, variables);
    expect(output).toContain('does not accept the user and the password');
    expect(output).not.toContain('by Basic only');
  });

  test('is said to ask for a user and a password where the seed finds none', async () => {
    await using site = await FixtureServer.open({ '/': guarded('<title>home</title>') });
    const { code, output } = await runHere(['crawl', site.url('/'), '-o', 'out', '--delay', '0'], base);
    expect(code).toBe(3);
    expect(output).toContain(
      `${new URL(site.url('/')).origin} asks for a user and a password (HTTP authentication): --http-auth gives them`,
    );
  });
});
