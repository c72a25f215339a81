// Opens the pages of one of the sites of many-links.mjs in a browser, one after the other, and reads nothing from them.
// Usage: node test/bench/bare-pages.mjs <address of the site> <pages>
import { homedir } from 'node:os';
import { chromium } from 'playwright-core';

import { installedBrowsers, browserEnvironment } from '../../browsers/browser-places.mjs';

const [site, pages] = process.argv.slice(2);
const [installed] = installedBrowsers(browserEnvironment(process.env, process.platform, homedir()));
const browser = await chromium.launch({ executablePath: installed.path, chromiumSandbox: process.getuid?.() !== 0 });
try {
  const page = await browser.newPage();
  for (let number = 1; number <= Number(pages); number += 1) await page.goto(new URL(`further-${number}/`, site).href);
} finally {
  await browser.close();
}
