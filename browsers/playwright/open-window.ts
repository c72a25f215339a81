/** A browser with a window in which a person signs in. The sites' storage is gathered while the window is open. */
import type { Browser } from 'playwright-core';
import type { StorageState } from '../protocol/storage-state.ts';
import { writable } from './context-options.ts';
import { openStorages, withDatabases } from './context-state.ts';
import { loadPlaywright } from './load-playwright.ts';

export interface WindowRequest {
  /** Path of a browser that has windows. */
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly url: string;
  /** Storage from the beginning; null: none. */
  readonly state: StorageState | null;
  /** Called when the window is there. */
  readonly onOpen?: () => void;
  /** Called with the present storage, after each look. */
  readonly onLook?: (stored: StorageState) => void;
}

/** Milliseconds between two looks at the storage; a window may be closed at any time. */
const LOOK_EVERY = 500;
const ROOT = 0;

/**
 * Opens the window and waits until the person has closed it.
 * @returns the storage at the last look
 * @throws where the browser does not start; the signal's reason
 */
export async function openWindow(request: WindowRequest, signal: AbortSignal): Promise<StorageState> {
  const { path, variables } = request;
  if (process.getuid?.() === ROOT) throw new Error('as root it would have no sandbox');
  const browser = await loadPlaywright().chromium.launch({
    executablePath: path,
    headless: false,
    chromiumSandbox: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...variables },
    // a site that sees this refuses to sign people in
    ignoreDefaultArgs: ['--enable-automation'],
    args: ['--disable-blink-features=AutomationControlled'],
  });
  try {
    return await gatherState(browser, request, signal);
  } finally {
    await browser.close();
  }
}

/** Opens a page and follows the storage until all pages are closed. */
export async function gatherState(
  browser: Browser,
  { url, state, onOpen = () => {}, onLook = () => {} }: Omit<WindowRequest, 'path' | 'variables'>,
  signal: AbortSignal,
): Promise<StorageState> {
  const context = await browser.newContext({
    viewport: null,
    ...(state === null ? {} : { storageState: writable(state) }),
  });
  const origins = new Map(state?.origins.map((each) => [each.origin, each]));
  let cookies: StorageState['cookies'] = state?.cookies ?? [];
  const stored = (): StorageState => ({
    cookies,
    origins: [...origins.values()].filter(
      ({ localStorage, sessionStorage = [], indexedDB }) =>
        localStorage.length + sessionStorage.length > 0 || indexedDB !== undefined,
    ),
  });
  let hasDatabases = false;
  const page = await context.newPage();
  onOpen();
  await page.goto(url, { waitUntil: 'commit' }).catch(() => {}); // the person sees the failure, and may go elsewhere
  while (context.pages().length > 0 && browser.isConnected()) {
    signal.throwIfAborted();
    // one look after the other; a page that has gone meanwhile says nothing
    cookies = await context.cookies().catch(() => cookies);
    for (const { origin, localStorage, sessionStorage, hasDatabases: has } of await openStorages(context)) {
      // another tab of the site may have none
      const ofTab = sessionStorage.length === 0 ? {} : { sessionStorage };
      origins.set(origin, { ...origins.get(origin), origin, localStorage, ...ofTab });
      hasDatabases ||= has;
    }
    onLook(stored());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  // a person who has signed in may close the window at once: the browser outlives it
  cookies = await context.cookies().catch(() => cookies);
  // not at each look: a window opens for each origin without one
  const whole = hasDatabases ? await withDatabases(context) : null;
  for (const { origin, localStorage, indexedDB } of whole?.origins ?? []) {
    if (indexedDB !== undefined) origins.set(origin, { localStorage, ...origins.get(origin), origin, indexedDB });
  }
  return stored();
}
