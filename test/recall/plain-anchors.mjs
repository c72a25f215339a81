// The result of a plain link extractor: `a[href]` of the main document after its load event, without
// frames, shadow trees, scripts or waiting.
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** @param load imports a module of the built program by its path */
export async function openPlainBrowser(load) {
  const { findBrowser, browserEnvironment } = await load('browsers/launch/find-browser.js');
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, new AbortController().signal);
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const dropPrivileges = fileURLToPath(new URL('../../browsers/launch/drop-privileges.sh', import.meta.url));
  const browser = await chromium.launch({
    executablePath: asRoot ? dropPrivileges : found.path,
    env: asRoot
      ? { ...found.variables, ORBWEAVER_BROWSER_PROGRAM: found.path, ORBWEAVER_BROWSER_UID: '65534' }
      : { ...found.variables },
    chromiumSandbox: true,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-gpu', '--no-first-run'],
  });
  return {
    /** Targets of all anchors, absolute. */
    async anchors(url) {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
        await page.goto(url, { waitUntil: 'load', timeout: 10_000 }).catch(() => {}); // whatever is there then counts
        return await page.$$eval('a[href]', (all) => all.map((each) => String(each.href))).catch(() => []);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}
