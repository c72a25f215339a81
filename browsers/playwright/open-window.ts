/** A browser with a window in which a person signs in. The sites' storage is gathered while the window is open. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { StorageState } from '../protocol/storage-state.ts';
import { writable } from './context-options.ts';
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
      ({ localStorage, indexedDB }) => localStorage.length > 0 || indexedDB !== undefined,
    ),
  });
  const page = await context.newPage();
  onOpen();
  await page.goto(url, { waitUntil: 'commit' }).catch(() => {}); // the person sees the failure, and may go elsewhere
  while (context.pages().length > 0 && browser.isConnected()) {
    signal.throwIfAborted();
    // one look after the other; a page that has gone meanwhile says nothing
    cookies = await context.cookies().catch(() => cookies);
    for (const each of await storages(context)) origins.set(each.origin, { ...origins.get(each.origin), ...each });
    onLook(stored());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  // a person who has signed in may close the window at once: the browser outlives it
  cookies = await context.cookies().catch(() => cookies);
  return stored();
}

/** Local storage of the open pages: Playwright's own function would open a window for each origin without an open page. */
async function storages(context: BrowserContext): Promise<StorageState['origins']> {
  const frames = context.pages().flatMap((page: Page) => page.frames());
  const read = frames.map((frame) =>
    frame.evaluate(READ).then(
      (answer: unknown) => storageOf(answer),
      () => [], // the frame has no storage, or is just being left
    ),
  );
  return (await Promise.all(read)).flat();
}

/** Source text: it runs in the page. */
const READ = '({ origin: location.origin, items: Object.entries(localStorage) })';

function storageOf(answer: unknown): StorageState['origins'] {
  if (typeof answer !== 'object' || answer === null || !('origin' in answer) || !('items' in answer)) return [];
  const { origin, items } = answer;
  if (typeof origin !== 'string' || !/^https?:/.test(origin) || !Array.isArray(items)) return [];
  return [{ origin, localStorage: items.map(([name, value]) => ({ name: String(name), value: String(value) })) }];
}
