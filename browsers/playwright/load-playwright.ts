/** Loads Playwright as the CommonJS module that it is: as an ES module its megabytes are searched for exports first, which takes 0.15 s of processor. */
import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';

/** Takes a quarter of a second where it is not loaded yet. */
export function loadPlaywright(): typeof Playwright {
  const playwright: typeof Playwright = createRequire(import.meta.url)('playwright-core');
  return playwright;
}
