/** Crawls of applications with external sign-in: an identity provider on another host, in a pop-up window or by redirects. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCdpEndpoint, openPlaywrightEndpoint } from '../support/browser-ways.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { PASSWORD } from '../support/sign-in-site.ts';
import { openSsoSite, SSO_MODULE, ssoSteps, type SsoSite } from '../support/sso-site.ts';

let folder = '';
let site: SsoSite;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-sso-'));
  site = await openSsoSite();
  vi.stubEnv('SITE_PASSWORD', PASSWORD);
  vi.stubEnv('SITE_URL', site.url('/'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function login(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const WAYS = [
  ['steps in a pop-up window', 'popup.yaml', ssoSteps('popup')],
  ['a module in a pop-up window', 'popup.mjs', SSO_MODULE],
  ['steps by redirects', 'redirect.yaml', ssoSteps('redirect')],
] as const;

/** Crawls signed in, once; then checks what each host has received. */
async function expectSignedIn(file: string, browser?: string): Promise<void> {
  const state = join(folder, 'state.json');
  const run = await runCrawl({
    seeds: [site.url('/')],
    delay: 0,
    login: file,
    signedIn: 'selector:#user-menu',
    storageState: state,
    ...(browser === undefined ? {} : { browser }),
  });
  expect(pathsOf(run)).toEqual(['/', '/m/1', '/m/2', '/m/3']);
  expect(run.pages.map(({ signedIn }) => signedIn)).toEqual([true, true, true, true]);
  expect(site.logIns()).toBe(1);
  expect(site.heardByProvider()).toContain('/seen.png');
  expect(site.reachedPrivate()).toEqual([]); // the gate protects windows, too
  for (const secret of [PASSWORD, ...site.ofProvider()]) expect(site.heardByApp()).not.toContain(secret);
  for (const secret of site.ofApp()) expect(site.heardByProvider()).not.toContain(secret);
  const kept = await readFile(state, 'utf8');
  for (const secret of [...site.ofApp(), ...site.ofProvider()]) expect(kept).toContain(secret);
}

describe('an identity provider on another host signs a crawl in behind the gate, and each host is sent what is its own,', () => {
  test.each(WAYS)('by %s', async (_what, name, text) => {
    await expectSignedIn(await login(name, text));
  });

  test.each([
    ['the DevTools protocol', openCdpEndpoint],
    ['Playwright', openPlaywrightEndpoint],
  ])('in a pop-up window of a browser at an endpoint of %s', async (_what, openEndpoint) => {
    await using endpoint = await openEndpoint();
    await expectSignedIn(await login('popup.yaml', ssoSteps('popup')), endpoint.url);
  });
});

test('a log-in that fails in a pop-up window names its address, and a step for an address that is not open is done nowhere', async () => {
  const steps = ssoSteps('popup').replace('timeout: 5', 'timeout: 2');
  const output = join(folder, 'crawl');
  const failed = async (text: string) => {
    const crawl = { seeds: [site.url('/')], delay: 0, login: await login('popup.yaml', text), output };
    return runCrawl(crawl).then(
      () => null,
      (error: unknown) => error,
    );
  };
  vi.stubEnv('SITE_PASSWORD', 'not-the-password');
  expect(await failed(steps)).toMatchObject({
    code: 'LOGIN_FAILED',
    message: expect.stringMatching(
      /step 5 [^]*found nothing within 2 s, on http:\/\/localhost:\d+\/authorize\?by=popup/,
    ),
  });
  expect((await readFile(join(output, 'login-failure.png'))).subarray(1, 4).toString()).toBe('PNG');
  const provider = site.heardByProvider().split('not-the-password').length;
  expect(provider).toBe(2);
  expect(await failed(steps.replace('/authorize**', '/elsewhere**'))).toMatchObject({
    message: expect.stringMatching(/step 3 [^]*no page with such an address is open/),
  });
  expect(site.heardByProvider().split('not-the-password')).toHaveLength(provider);
  expect(site.heardByApp()).not.toContain('not-the-password');
});
