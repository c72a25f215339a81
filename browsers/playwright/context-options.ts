/** What a context of a crawl is: a reader's browser that keeps and grants nothing. */
import type { BrowserContextOptions } from 'playwright-core';
import type { PageManner } from '../protocol/browser.ts';

export function contextOptions({ userAgent, viewport }: PageManner): BrowserContextOptions {
  return {
    userAgent,
    viewport,
    locale: 'en-US',
    serviceWorkers: 'block',
    acceptDownloads: false,
    ignoreHTTPSErrors: false,
    permissions: [],
  };
}
