/** `orbweaver login`: a person signs in once, in a window, and crawls begin with the state that the site has stored. */
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findWindowBrowser } from '../../../browsers/launch/find-browser.ts';
import type { WindowRequest } from '../../../browsers/playwright/open-window.ts';
import type { StorageState } from '../../../browsers/protocol/storage-state.ts';
import { CrawlError } from '../../base/errors.ts';
import { parseStorageState } from '../../core/sign-in/storage-state.ts';
import { diskError, systemCode } from '../../crawl-folder/disk-error.ts';
import { makeFolders } from '../../crawl-folder/make-folders.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import { canonicalUrl } from '../../model/url/canonical-url.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';

export interface HandSignIn {
  /** The http(s) URL to begin at. */
  readonly url: string;
  /** The file that the state is written to, and read from where it exists. */
  readonly storageState: string;
  /** Called when the window is there. */
  readonly onOpen: () => void;
}

export interface HandSignInEnd {
  /** Absolute path of the state. */
  readonly file: string;
  readonly cookies: number;
  /** Origins with something in their local storage. */
  readonly origins: number;
}

type OpenWindow = (request: WindowRequest, signal: AbortSignal) => Promise<StorageState>;

/** Loaded only for a sign-in by hand: a crawl that renders nothing does without Playwright. */
const openWindow: OpenWindow = async (request, signal) =>
  (await import('../../../browsers/playwright/open-window.ts')).openWindow(request, signal);

/** Variables that a window needs besides a browser's: it is not one that pages could break out into. */
const OF_THE_DISPLAY = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'] as const;

/**
 * Opens a window, waits until it is closed, and writes the state, for its owner alone to read.
 * @param open the window; for tests without a display
 * @throws {CrawlError} SEED_INVALID, USAGE without a display, or for a file that is no storage state, BROWSER_MISSING, OUTPUT_UNUSABLE,
 *   BROWSER_UNUSABLE, LOGIN_FAILED where nothing was stored
 */
export async function signInByHand(
  { url, storageState, onOpen }: HandSignIn,
  environment: CrawlEnvironment,
  signal: AbortSignal,
  open: OpenWindow = openWindow,
): Promise<HandSignInEnd> {
  const start = canonicalUrl(url);
  if (start === null)
    throw new CrawlError(
      'SEED_INVALID',
      `${JSON.stringify(url.slice(0, 200))} is no http(s) URL\nGive a whole one, as in https://example.org/login`,
    );
  const file = resolve(environment.workingFolder, storageState);
  const { path, variables } = windowBrowser(start, environment);
  await preparePlace(file);
  const before = await stateBefore(file);
  const state = await open({ path, variables, url: start, state: before, onOpen }, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    const what = `${path} did not open a window: ${firstLine(cause)}`;
    throw new CrawlError('BROWSER_UNUSABLE', `${what}\n${otherWays(start)}`, { cause });
  });
  if (state.cookies.length === 0 && state.origins.length === 0)
    throw new CrawlError('LOGIN_FAILED', `the window was closed, and no site had stored anything\n${otherWays(start)}`);
  await writeWholeFile(file, `${JSON.stringify(state, null, 2)}\n`);
  return { file, cookies: state.cookies.length, origins: state.origins.length };
}

/** The state to go on with; null where there is none yet. @throws {CrawlError} USAGE for a file that is another one */
async function stateBefore(file: string): Promise<StorageState | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return '';
    throw diskError(error, file);
  });
  const state = parseStorageState(text);
  if (state !== null || text.trim() === '') return state;
  throw new CrawlError('USAGE', `${file} is no storage state, and would be overwritten\nName another file.`, {
    data: { option: 'storageState' },
  });
}

/** A person signs in only once: the file's place is looked at before. @throws {CrawlError} OUTPUT_UNUSABLE */
async function preparePlace(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
    await access(dirname(file), constants.W_OK);
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory() === true) throw new Error('it is a folder');
  } catch (error) {
    throw diskError(error, file);
  }
}

function windowBrowser(
  url: string,
  { browsers, variables = {} }: CrawlEnvironment,
): { readonly path: string; readonly variables: Readonly<Record<string, string>> } {
  const display = OF_THE_DISPLAY.flatMap((name): (readonly [string, string])[] => {
    const value = variables[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  if (browsers.platform === 'linux' && !display.some(([name]) => name !== 'XAUTHORITY'))
    throw new CrawlError('USAGE', `there is no display to open a window on\n${otherWays(url)}`);
  const found = findWindowBrowser(browsers);
  if (found === null)
    throw new CrawlError(
      'BROWSER_MISSING',
      `no browser with a window was found, only headless ones, or none\n${otherWays(url)}`,
    );
  return { path: found.path, variables: { ...found.variables, ...Object.fromEntries(display) } };
}

function otherWays(url: string): string {
  return `Sign in on another machine, npx playwright codegen --save-storage=state.json ${url}, and crawl with --storage-state; or let --login sign in.`;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
