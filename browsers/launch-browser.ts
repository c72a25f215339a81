/** Starts a browser with its sandbox on, or says why that cannot be. Without the sandbox only where somebody asked for it. */
import { access, chmod, constants } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { withDeadline } from '../src/base/deadline.ts';
import { CrawlError } from '../src/base/errors.ts';
import type { Log } from '../src/base/log.ts';
import { milliseconds, seconds } from '../src/base/units.ts';
import { inPath } from './browser-places.mjs';
import type { FoundBrowser, InstalledExecutable } from './find-browser.ts';
import { launchFailure } from './launch-failure.ts';
import { launchProfile } from './launch-profile.ts';

export interface LaunchOptions {
  /** Every request leaves through it; null only for tests of pages that need no network. */
  readonly proxyUrl: string | null;
  /** See {@link launchProfile}; a full browser ignores it. */
  readonly frameControl: boolean;
  readonly extraFlags: readonly string[];
  /** `auto` and `on`: with it, or not at all. `off` is for people who contain the browser by other means. */
  readonly sandbox: 'auto' | 'on' | 'off';
  readonly log: Log;
}

/** A cold start takes 0.1 s, on a machine under load some seconds. */
const LAUNCH_LIMIT = seconds(20);
/** Playwright ends a launch by itself at the limit and kills the process; this is the margin for doing so. */
const LAUNCH_MARGIN = seconds(5);

/** `nobody`, on every system that has this user by a number; it needs no name. */
const UNPRIVILEGED_UID = 65534;

const DROP_PRIVILEGES = fileURLToPath(new URL('./drop-privileges.sh', import.meta.url));

/**
 * Starts the browser, or connects to the one that runs already. Who calls it closes it. A browser that was started dies
 * with this process, because its pipe does.
 * @throws {CrawlError} BROWSER_UNUSABLE where it does not start or answer; the message has its own words and the cure.
 */
export async function launchBrowser(
  found: FoundBrowser,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<Browser> {
  signal.throwIfAborted();
  const limit = milliseconds(LAUNCH_LIMIT + LAUNCH_MARGIN);
  const opening = found.kind === 'endpoint' ? connect(found) : launch(found, options);
  try {
    return await withDeadline(opening, 'the browser', limit, signal);
  } catch (error) {
    // whoever waited has gone: a browser that still comes up belongs to nobody
    opening.then((late) => late.close()).catch(() => {});
    signal.throwIfAborted();
    throw error instanceof CrawlError ? error : launchFailure(found, error);
  }
}

async function connect(found: FoundBrowser & { kind: 'endpoint' }): Promise<Browser> {
  if (found.protocol === 'playwright') return chromium.connect(found.url, { timeout: LAUNCH_LIMIT });
  return chromium.connectOverCDP(found.url, { timeout: LAUNCH_LIMIT });
}

async function launch(found: InstalledExecutable, options: LaunchOptions): Promise<Browser> {
  const sandbox = options.sandbox === 'off' ? 'off' : 'on';
  const { flavour } = found;
  const { proxyUrl, frameControl, extraFlags, log } = options;
  const profile = launchProfile({ flavour, proxyUrl, frameControl, sandbox, extraFlags });
  const asRoot = sandbox === 'on' && process.platform === 'linux' && process.getuid?.() === 0;
  const start = asRoot ? await droppingPrivileges(found) : { executablePath: found.path, env: { ...found.variables } };
  log.debug('browser launch', { path: found.path, flavour, sandbox, asRoot });
  return chromium.launch({
    ...start,
    args: [...profile.flags],
    ignoreDefaultArgs: [...profile.ignoredDefaults],
    chromiumSandbox: profile.sandbox,
    headless: true,
    timeout: LAUNCH_LIMIT,
    // the crawl decides what a signal means: pages in flight are finished first
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Chromium has no sandbox as root, so that root starts it as somebody else. */
async function droppingPrivileges(
  found: InstalledExecutable,
): Promise<{ executablePath: string; env: Record<string, string> }> {
  if (inPath(found.variables['PATH'] ?? '', 'setpriv') === null) {
    throw new CrawlError(
      'BROWSER_UNUSABLE',
      'as root the browser is started as an unprivileged user, and the program setpriv for it is not there.\n' +
        'Crawl as another user, or install it with: apt-get install util-linux',
    );
  }
  // npm does not promise to keep the executable bit of a packed file
  await access(DROP_PRIVILEGES, constants.X_OK).catch(() => chmod(DROP_PRIVILEGES, 0o755));
  return {
    executablePath: DROP_PRIVILEGES,
    env: {
      ...found.variables,
      ORBWEAVER_BROWSER_PROGRAM: found.path,
      ORBWEAVER_BROWSER_UID: String(UNPRIVILEGED_UID),
    },
  };
}
