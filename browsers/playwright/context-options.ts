/** Options of a crawl's browser context: a reader's browser that keeps and grants nothing. */
import type { BrowserContextOptions } from 'playwright-core';
import { BROWSER_LANGUAGE, type PageManner } from '../protocol/browser.ts';
import type { StorageState } from '../protocol/storage-state.ts';

type PlaywrightsState = BrowserContextOptions['storageState'];

/** Most pages at a time where pages may open windows; a log-in has two or three (arbitrary). */
export const MOST_WINDOWS = 20;

export function contextOptions({ userAgent, viewport }: PageManner, state: StorageState | null): BrowserContextOptions {
  return {
    userAgent,
    viewport,
    locale: BROWSER_LANGUAGE,
    serviceWorkers: 'block',
    acceptDownloads: false,
    ignoreHTTPSErrors: false,
    permissions: [],
    ...(state === null ? {} : { storageState: writable(state) }),
  };
}

/** Playwright's type asks for lists that may be changed. */
export function writable({ cookies, origins }: StorageState): Exclude<PlaywrightsState, string | undefined> {
  return {
    cookies: cookies.map((cookie) => ({ ...cookie })),
    origins: origins.map(({ sessionStorage: _others, ...stored }) => ({
      ...stored,
      localStorage: [...stored.localStorage],
    })),
  };
}
