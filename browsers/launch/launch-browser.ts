/** Starts a browser with its sandbox on, or says why that is impossible. The sandbox is off only where the user asked for that. */
import { access, chmod, constants } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withDeadline } from '../../src/base/deadline.ts';
import { CrawlError } from '../../src/base/errors.ts';
import type { Log } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import { inPath } from '../browser-places.mjs';
import type { Browser } from '../protocol/browser.ts';
import type { DevToolsConnection, FaultListener } from '../protocol/connection.ts';
import { PipeBrowser } from '../protocol/pipe-browser.ts';
import type { ProxyCredential } from '../protocol/proxy-credential.ts';
import { connectEndpoint } from './connect-endpoint.ts';
import type { FoundBrowser, InstalledExecutable } from './find-browser.ts';
import { launchFailure } from './launch-failure.ts';
import { launchProfile } from './launch-profile.ts';
import { underMemoryLimit, type MemoryHold } from './limit-memory.ts';
import type { NetworkNamespace } from './network-namespace.ts';
import { removeLeftProfiles } from './profile-folder.ts';
import { startProgram, temporaryFolder, type ProgramStart, type StartedProgram } from './start-program.ts';

export interface LaunchOptions {
  /**
   * Every request leaves through it; null only for tests of pages that need no network, and for a browser at an endpoint that the user lets
   * go its own way.
   */
  readonly proxyUrl: string | null;
  /** The credential that the proxy asks of each storage of the browser; left out or null: none. It is not passed as an argument. */
  readonly proxyCredential?: ProxyCredential | null;
  /** See {@link launchProfile}; a full browser ignores it. */
  readonly frameControl: boolean;
  /** See {@link launchProfile}. */
  readonly webgl?: boolean;
  readonly extraFlags: readonly string[];
  /**
   * Base64 of the SHA-256 of a SubjectPublicKeyInfo: a server with this key is trusted with any certificate. For the proxy that
   * terminates TLS and verifies in the browser's place; left out or null: no key is trusted so.
   */
  readonly trustedKey?: string | null;
  /** `auto` and `on`: the sandbox is on, or the browser does not start. `off` is for people who contain the browser by other means. */
  readonly sandbox: 'auto' | 'on' | 'off';
  /** The network that it runs in; left out or null: that of this process. */
  readonly namespace?: NetworkNamespace | null;
  /** Limit beyond which the kernel ends or refuses processes; left out or null: only the machine's memory bounds it. */
  readonly memory?: MemoryHold | null;
  /** Maker of the contexts of its pages. Left out: Playwright. */
  readonly contexts?: 'playwright' | 'own';
  /** May pages open windows? Only in Playwright's contexts and without frame control, under which they would not be drawn. Left out: no. */
  readonly opensWindows?: boolean;
  readonly log: Log;
}

/** Limit of a start that hangs. A cold start takes 0.1 s; four at once beside programs that only compute took more than 20. */
const LAUNCH_LIMIT = seconds(60);

/** The number of `nobody` on every system that has this user; no name is needed. */
const UNPRIVILEGED_UID = 65534;

const DROP_PRIVILEGES = fileURLToPath(new URL('./drop-privileges.sh', import.meta.url));

/**
 * Starts the browser, or connects to one that is running. The caller closes it. A browser that was started dies
 * with this process, because its pipe does.
 * @throws {CrawlError} BROWSER_UNUSABLE where the browser does not start or answer, or where a running one does not reach the proxy; the
 * message has the browser's own words and the cure
 */
export async function launchBrowser(
  found: FoundBrowser,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<Browser> {
  signal.throwIfAborted();
  return found.kind === 'executable' ? launch(found, options, signal) : connectEndpoint(found, options, signal);
}

async function launch(found: InstalledExecutable, options: LaunchOptions, signal: AbortSignal): Promise<Browser> {
  const sandbox = options.sandbox === 'off' ? 'off' : 'on';
  const { flavour } = found;
  const { proxyUrl, frameControl, webgl = false, extraFlags, log } = options;
  const { trustedKey = null, proxyCredential = null, namespace = null } = options;
  const profile = launchProfile({ flavour, proxyUrl, trustedKey, frameControl, webgl, sandbox, extraFlags });
  const asRoot = sandbox === 'on' && process.platform === 'linux' && process.getuid?.() === 0;
  const { path, environment } = asRoot
    ? await droppingPrivileges(found)
    : { path: found.path, environment: found.variables };
  const [first, ...rest] = [...(namespace?.enter ?? []), path];
  const flags = [...rest, ...profile.flags, ...(profile.sandbox ? [] : ['--no-sandbox'])];
  const removed = await removeLeftProfiles(temporaryFolder(found.variables));
  if (removed > 0) log.info('profiles of ended crawls removed', { removed });
  log.debug('browser launch', { path: found.path, flavour, sandbox, asRoot, ownNetwork: namespace !== null });
  let program: StartedProgram | null = null;
  try {
    const start = { path: first ?? path, environment, flags };
    program = await startProgram(await underMemoryLimit(start, options.memory ?? null));
    const drawsOnDemand = frameControl && flavour === 'headless-shell';
    const onFault: FaultListener = (fault) => log.error('fault over a message of the browser', fault);
    const { artifacts } = program;
    // load Playwright while the browser starts: it keeps this process busy, and takes about as long
    const riding = options.contexts === 'own' ? null : import('../playwright/playwright-contexts.ts');
    riding?.catch(() => {}); // the caller that makes contexts gets the rejection
    const contexts =
      riding === null
        ? {}
        : {
            contexts: async (connection: DevToolsConnection) =>
              (await riding).PlaywrightContexts.open(connection, artifacts),
          };
    const { opensWindows = false } = options;
    const how = {
      ...contexts,
      opensWindows,
      frameControl: drawsOnDemand,
      ownNetwork: namespace !== null,
      proxyCredential,
      onFault,
    };
    return await withDeadline(PipeBrowser.greet(program, how), 'the browser', LAUNCH_LIMIT, signal);
  } catch (error) {
    program?.kill();
    signal.throwIfAborted();
    const words = program === null ? '' : await program.words();
    throw error instanceof CrawlError ? error : launchFailure(found, error, words);
  }
}

/** Chromium has no sandbox as root, so root starts it as another user. */
async function droppingPrivileges(found: InstalledExecutable): Promise<Omit<ProgramStart, 'flags'>> {
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
    path: DROP_PRIVILEGES,
    environment: {
      ...found.variables,
      ORBWEAVER_BROWSER_PROGRAM: found.path,
      ORBWEAVER_BROWSER_UID: String(UNPRIVILEGED_UID),
    },
  };
}
