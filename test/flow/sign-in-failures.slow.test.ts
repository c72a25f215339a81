/** Crawls that cannot sign in, or lose their session: what they report, what they leave, and how they resume. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageRecord } from '../../src/model/record.ts';
import { runHere } from '../support/command-here.ts';
import { linesOf } from '../support/crawl-run.ts';
import { loginSteps, openSignInSite, PASSWORD } from '../support/sign-in-site.ts';

let base = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-signed-out-'));
  await writeFile(join(base, 'login.yaml'), loginSteps());
});
afterEach(() => rm(base, { recursive: true, force: true }));

const MARK = ['--signed-in', 'selector:#user-menu'];
const crawl = (url: string, more: readonly string[], password = PASSWORD) =>
  runHere(
    ['crawl', url, '-o', 'out', '--delay', '0', '--workers', '2', ...more],
    base,
    {},
    { SITE_PASSWORD: password },
  );
const pages = (): Promise<readonly PageRecord[]> => linesOf<PageRecord>(join(base, 'out'), 'pages.jsonl');
const paths = async (): Promise<readonly string[]> =>
  (await pages()).map(({ url }) => new URL(url).pathname).toSorted();
const state = (sid: string): string =>
  JSON.stringify({ cookies: [{ name: 'sid', value: sid, domain: '127.0.0.1', path: '/' }], origins: [] });

describe('a log-in that fails', () => {
  test.each([[MARK], [[]]])('for a wrong password is said once, before anything is crawled (%j)', async (mark) => {
    await using site = await openSignInSite();
    await writeFile(
      join(base, 'login.yaml'),
      loginSteps()
        .replace(/.*wait.*\n/, '')
        .replace('timeout: 5', 'timeout: 10'),
    );
    const { code, output } = await crawl(site.url('/'), ['--login', 'login.yaml', ...mark], 'qzw8-wrong');
    expect(code).toBe(3);
    expect(output.match(/the log-in failed/g)).toHaveLength(1);
    expect(output).toMatch(/after the last step http:\S+\/login .*password/);
    expect(output).not.toContain('qzw8');
    expect(await readdir(join(base, 'out'))).toEqual(['login-failure.png']);
    expect((await readFile(join(base, 'out/login-failure.png'))).subarray(1, 4).toString()).toBe('PNG');
    expect(site.server.paths().filter((path) => path !== '/login')).toEqual([]);
    if (mark.length === 0) return;
    // the picture in the folder does not prevent a new crawl
    const again = await crawl(site.url('/'), ['--login', 'login.yaml', ...mark]);
    expect(again.code).toBe(0);
    expect(await paths()).toHaveLength(7);
    expect(await readdir(join(base, 'out'))).not.toContain('login-failure.png');
  });

  test('for a step that finds nothing names the step and the page', async () => {
    await using site = await openSignInSite();
    const steps = `url: /login\ntimeout: 5\nsteps:\n  - { fill: '#user', with: alice }\n  - { click: '#nowhere' }\n`;
    await writeFile(join(base, 'login.yaml'), steps);
    const { code, output } = await crawl(site.url('/'), ['--login', 'login.yaml', ...MARK]);
    expect(code).toBe(3);
    expect(output).toContain(
      `step 2 of login.yaml (click "#nowhere") found nothing within 5 s, on ${site.url('/login')}`,
    );
    expect(await readdir(join(base, 'out'))).toEqual(['login-failure.png']);
  });
});

describe('a crawl that is signed out', () => {
  test('and cannot sign in again pauses, and goes on with another sign-in where it was', async () => {
    await using site = await openSignInSite({ pages: 8, pagesPerSession: 4, refusal: 'form' });
    const seen = new Set<string>();
    const begun = await crawl(site.url('/'), [
      '--login',
      'login.yaml',
      ...MARK,
      '--storage-state',
      'state.json',
      '--limit',
      '1',
    ]);
    expect(begun.code).toBe(0);
    await rm(join(base, 'out'), { recursive: true });
    const { code, output } = await crawl(site.url('/'), ['--storage-state', 'state.json', ...MARK]);
    expect(code).toBe(4);
    expect(output).toMatch(/Paused: signed out[^]*signed out at http\S+, and no --login says how to sign in again/);
    expect(output).toMatch(/resume \.\/out --storage-state state\.json/);
    expect(JSON.parse(await readFile(join(base, 'out/crawl.json'), 'utf8'))).toMatchObject({
      state: 'interrupted',
      end: 'signed-out',
    });
    for (const path of await paths()) seen.add(path);
    expect(seen.size).toBeGreaterThan(0);
    expect(seen.size).toBeLessThan(9);
    const resumed = await runHere(
      ['resume', 'out', '--storage-state', 'state.json', '--login', 'login.yaml'],
      base,
      {},
      { SITE_PASSWORD: PASSWORD },
    );
    expect(resumed.code).toBe(0);
    expect(await paths()).toHaveLength(9);
    expect((await pages()).filter(({ title, signedIn }) => title === 'sign in' || signedIn !== true)).toEqual([]);
  });

  test('from its first page on keeps nothing', async () => {
    await using site = await openSignInSite({ refusal: 'form' });
    await writeFile(join(base, 'state.json'), state('qzw8-of-yesterday'));
    const { code, output } = await crawl(site.url('/'), ['--storage-state', 'state.json', ...MARK]);
    expect([code, await paths()]).toEqual([4, []]);
    expect(output).not.toContain('qzw8');
  });

  test('and whose password has changed meanwhile pauses with a picture of the log-in', async () => {
    await using site = await openSignInSite({ pages: 9, pagesPerSession: 4 });
    await writeFile(
      join(base, 'login.yaml'),
      loginSteps()
        .replace(/.*wait.*\n/, '')
        .replace('timeout: 5', 'timeout: 10'),
    );
    const running = crawl(site.url('/'), ['--login', 'login.yaml', ...MARK]);
    await expect.poll(() => site.logIns(), { timeout: 20_000 }).toBe(1);
    site.setPassword('another');
    const { code, output } = await running;
    expect(code).toBe(4);
    expect(output).toMatch(/and the log-in failed: after the last step/);
    expect(output).toMatch(/resume \.\/out --login login\.yaml/);
    expect(await readdir(join(base, 'out'))).toContain('login-failure.png');
    expect((await pages()).filter(({ title }) => title === 'sign in')).toEqual([]);
  });
});
