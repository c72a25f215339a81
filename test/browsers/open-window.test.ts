/** The storage state gathered from a sign-in window. This browser is headless, as there may be no display: the code path is the same. */
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import type { StorageState } from '../../browsers/protocol/storage-state.ts';
import { findWindowBrowser } from '../../browsers/launch/find-browser.ts';
import { gatherState } from '../../browsers/playwright/open-window.ts';
import { currentEnvironment } from '../../src/crawl/crawl-environment.ts';
import { FixtureServer } from '../render/fixture-server.ts';

const full = findWindowBrowser(currentEnvironment().browsers);

test.skipIf(full === null)('cookies and local storage are gathered until the last page is closed', async () => {
  await using site = await FixtureServer.open({
    '/': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'sid=one; HttpOnly' })
        .end('<title>x</title><script>localStorage.setItem("token", "two")</script>'),
  });
  const browser = await chromium.launch({ executablePath: full?.path ?? '', headless: true, args: ['--no-sandbox'] });
  try {
    const origin = new URL(site.url('/')).origin;
    const before = { origin: 'https://elsewhere.test', localStorage: [{ name: 'old', value: 'three' }] };
    let looked: StorageState = { cookies: [], origins: [] };
    const gathering = gatherState(
      browser,
      { url: site.url('/'), state: { cookies: [], origins: [before] }, onLook: (stored) => void (looked = stored) },
      new AbortController().signal,
    );
    await expect.poll(() => looked.origins.length, { timeout: 20_000 }).toBe(2);
    await browser.contexts()[0]?.pages()[0]?.close();
    const state = await gathering;
    expect(state.cookies).toMatchObject([{ name: 'sid', value: 'one', httpOnly: true }]);
    expect(state.origins).toEqual([before, { origin, localStorage: [{ name: 'token', value: 'two' }] }]);
  } finally {
    await browser.close();
  }
});

test.skipIf(full === null)(
  'session storage and databases are gathered as well, for applications that sign in by them',
  async () => {
    const script = `const asked = indexedDB.open('auth', 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore('users', { keyPath: 'key' });
    asked.onsuccess = () => {
      const writing = asked.result.transaction('users', 'readwrite');
      writing.objectStore('users').put({ key: 'me', token: 'three' });
      writing.oncomplete = () => sessionStorage.setItem('token', 'two');
    };`;
    await using site = await FixtureServer.open({ '/': `<title>x</title><script>${script}</script>` });
    const browser = await chromium.launch({ executablePath: full?.path ?? '', headless: true, args: ['--no-sandbox'] });
    try {
      let looked: StorageState = { cookies: [], origins: [] };
      const request = { url: site.url('/'), state: null, onLook: (stored: StorageState) => void (looked = stored) };
      const gathering = gatherState(browser, request, new AbortController().signal);
      await expect.poll(() => looked.origins.length, { timeout: 20_000 }).toBe(1);
      await browser.contexts()[0]?.pages()[0]?.close();
      const records = [{ value: { key: 'me', token: 'three' } }];
      expect((await gathering).origins).toMatchObject([
        {
          origin: new URL(site.url('/')).origin,
          localStorage: [],
          sessionStorage: [{ name: 'token', value: 'two' }],
          indexedDB: [{ name: 'auth', version: 1, stores: [{ name: 'users', keyPath: 'key', records }] }],
        },
      ]);
    } finally {
      await browser.close();
    }
  },
);
