/** The checks of `orbweaver doctor`: the programs that a crawl would use on this machine, whether they work, and commands that mend them. */
import { execFile } from 'node:child_process';
import { readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { CrawlError } from '../../src/base/errors.ts';
import { withDeadline } from '../../src/base/deadline.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeTemporaryFolder } from '../../src/base/process/temporary-folder.ts';
import { seconds } from '../../src/base/units.ts';
import { inPath, installedRedis } from '../browser-places.mjs';
import type { Browser } from '../protocol/browser.ts';
import { BROWSER_DIFFERENCES, kindOf, type BrowserKind } from './browser-differences.ts';
import { findBrowser, type BrowserEnvironment, type BrowserRequest, type FoundBrowser } from './find-browser.ts';
import { launchBrowser, type LaunchOptions } from './launch-browser.ts';
import { opensNoPage } from './launch-failure.ts';
import { openNetworkNamespace } from './network-namespace.ts';

/** One thing that a crawl needs, and whether it is there. */
interface Diagnosis {
  /** The thing that was looked at: `browser`, `sandbox`, `Redis`. */
  readonly name: string;
  readonly ok: boolean;
  /** The finding, one line or more. */
  readonly detail: string;
  /** The command that mends it, or that would make it better where it is ok; null where there is none. */
  readonly cure: string | null;
}

/** The proxy of a crawl. */
type BrowserGate = Pick<LaunchOptions, 'proxyUrl' | 'proxyCredential'>;

const run = promisify(execFile);

/** A program that prints its version does so at once, or hangs. */
const VERSION_LIMIT = seconds(10);
/** A page opens in a tenth of a second, or never. */
const PAGE_LIMIT = seconds(10);
const PAGE_MANNER = { userAgent: 'Orbweaver', viewport: { width: 800, height: 600 } };
/** The oldest Redis that has all commands that we use; BullMQ warns below it, too. */
const OLDEST_REDIS = { major: 7, minor: 0 };
/** Profiles and shared memory of the browser lie in the folder for temporary files. */
const LEAST_TEMPORARY_SPACE = 512 * 1024 * 1024;

const fine = (name: string, detail: string, cure: string | null = null): Diagnosis => ({
  name,
  ok: true,
  detail,
  cure,
});
const bad = (name: string, detail: string, cure: string | null): Diagnosis => ({ name, ok: false, detail, cure });

/** Checks everything that a crawl needs; starts the browser once or twice. Never rejects because of a finding. */
export async function diagnoseMachine(machine: {
  readonly browsers: BrowserEnvironment;
  /** As `--browser` takes it; left out or null: the one that a crawl would find. */
  readonly asked?: string | null;
  /** Proxy that pages at an endpoint must reach; left out or null: this is not checked. */
  readonly gate?: BrowserGate | null;
}): Promise<readonly Diagnosis[]> {
  const { browsers, asked = null, gate = null } = machine;
  const { signal } = new AbortController(); // every step has a limit of its own, and Ctrl-C ends the program
  const folder = browsers.variables['TMPDIR'] ?? tmpdir();
  const [rest, browser] = await Promise.all([
    diagnoseSurroundings({ browsers, temporaryFolder: folder }, signal),
    diagnoseBrowser({ asked, environment: browsers }, gate, signal),
  ]);
  return [...browser, ...rest];
}

/** The browser that a crawl would use, its version, and whether it starts with its sandbox. Starts it once or twice. */
async function diagnoseBrowser(
  request: BrowserRequest,
  gate: BrowserGate | null,
  signal: AbortSignal,
): Promise<readonly Diagnosis[]> {
  let found: FoundBrowser;
  try {
    found = await findBrowser(request, signal);
  } catch (error) {
    return [fromError('browser', error)];
  }
  const where = found.kind === 'endpoint' ? `${found.url} (${found.protocol})` : `${found.path} (${found.source})`;
  const kind = kindFinding(found);
  const started = await start(found, { sandbox: 'on', gate }, signal);
  if (typeof started === 'string') {
    const [sandbox, way] =
      found.kind === 'endpoint'
        ? [fine('sandbox', 'as the browser was started'), fine('egress gate', 'its pages reach the proxy of a crawl')]
        : [fine('sandbox', 'on'), null];
    const reached = way === null || gate === null ? [] : [way];
    return [fine('browser', `${where}, version ${started}`), ...kind, sandbox, ...reached];
  }
  if (found.kind === 'endpoint') return [fromError('browser', started.error), ...kind];
  const without = await start(found, { sandbox: 'off', gate: null }, signal);
  if (typeof without !== 'string') return [fine('browser', where), fromError('browser start', without.error)];
  return [fine('browser', `${where}, version ${without}`), ...kind, fromError('sandbox', started.error)];
}

const KIND_WORDS: Readonly<Record<Exclude<BrowserKind, 'headless-shell'>, string>> = {
  full: 'a full browser',
  cdp: 'one that somebody else has started, at an endpoint of the DevTools protocol',
  playwright: 'one that somebody else has started, at an endpoint of Playwright',
};

/** Lists how the browser differs from the one that a crawl prefers; empty for that one. */
function kindFinding(found: FoundBrowser): readonly Diagnosis[] {
  const kind = kindOf(found);
  if (kind === 'headless-shell') return [];
  const differences = BROWSER_DIFFERENCES.filter((difference) => difference.of.includes(kind));
  const lines = differences.map(({ words }) => `  ${words}`);
  const detail = [`${KIND_WORDS[kind]}; with a headless shell that is started here it would be otherwise:`, ...lines];
  return [fine('browser kind', detail.join('\n'), SHELL_CURE)];
}

const SHELL_CURE =
  'apt-get install chromium-headless-shell, or: npx playwright-core install --only-shell chromium-headless-shell';

/** The version of a browser that started, or why it did not. */
async function start(
  found: FoundBrowser,
  { sandbox, gate }: { readonly sandbox: 'on' | 'off'; readonly gate: BrowserGate | null },
  signal: AbortSignal,
): Promise<string | { readonly error: unknown }> {
  try {
    const proxy = { proxyUrl: gate?.proxyUrl ?? null, proxyCredential: gate?.proxyCredential ?? null };
    const options = {
      ...proxy,
      frameControl: false,
      extraFlags: [],
      sandbox,
      contexts: 'own',
      log: silentLog,
    } as const;
    const browser = await launchBrowser(found, options, signal);
    if (found.kind === 'executable') await openPage(browser, signal); // the pages of an endpoint have reached the proxy
    const version = browser.version();
    await browser.close();
    return version;
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}

/** Opens a page: a browser that lacks open files starts, and opens none. @throws {CrawlError} BROWSER_UNUSABLE */
async function openPage(browser: Browser, signal: AbortSignal): Promise<void> {
  const opening = browser.openContext(PAGE_MANNER).then((context) => context.openPage());
  try {
    await withDeadline(opening, 'opening a page', PAGE_LIMIT, signal);
  } catch (error) {
    signal.throwIfAborted();
    browser.kill();
    throw opensNoPage(error);
  }
}

/** Splits an error into finding and cure; in our own messages the cure follows the finding. */
function fromError(name: string, error: unknown): Diagnosis {
  if (!(error instanceof CrawlError)) return bad(name, String(error), null);
  const lines = error.message.split('\n');
  const finding = lines.filter((line, index) => index === 0 || line.startsWith('  | '));
  const cure = lines.filter((line) => !finding.includes(line));
  return bad(name, finding.join('\n'), cure.length > 0 ? cure.join('\n') : null);
}

async function diagnoseSurroundings(
  machine: { readonly browsers: BrowserEnvironment; readonly temporaryFolder: string },
  signal: AbortSignal,
): Promise<readonly Diagnosis[]> {
  const { browsers, temporaryFolder } = machine;
  return [
    await diagnoseRedis(browsers, signal),
    ...(browsers.platform === 'linux' ? await diagnoseUserNamespaces(browsers, signal) : []),
    ...(browsers.platform === 'linux' ? [await diagnoseNetwork(browsers, signal)] : []),
    await diagnoseTemporarySpace(temporaryFolder),
    fine('Node.js', `${process.version} (${process.execPath})`),
  ];
}

const REDIS_CURE =
  'apt-get install redis-server   (Debian, Ubuntu), or: brew install redis, or use one that runs: --redis <url>';

async function diagnoseRedis(environment: BrowserEnvironment, signal: AbortSignal): Promise<Diagnosis> {
  const path = installedRedis(environment.path);
  if (path === null) return bad('Redis', 'no redis-server and no valkey-server in PATH', REDIS_CURE);
  try {
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_LIMIT, signal });
    const version = /v=(\d+)\.(\d+)\.(\d+)/.exec(stdout);
    const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
    const detail = `${path}, version ${version?.slice(1).join('.') ?? 'unknown'}`;
    const fit = major > OLDEST_REDIS.major || (major === OLDEST_REDIS.major && minor >= OLDEST_REDIS.minor);
    return fit
      ? fine('Redis', detail)
      : bad('Redis', `${detail}: ${OLDEST_REDIS.major}.${OLDEST_REDIS.minor} or later is needed`, REDIS_CURE);
  } catch (error) {
    signal.throwIfAborted();
    return bad(
      'Redis',
      `${path} does not start: ${error instanceof Error ? error.message : String(error)}`,
      REDIS_CURE,
    );
  }
}

/** Checks user namespaces: Chromium's sandbox uses them where no setuid helper is installed. The sandbox line is what counts. */
async function diagnoseUserNamespaces(
  environment: BrowserEnvironment,
  signal: AbortSignal,
): Promise<readonly Diagnosis[]> {
  const unshare = inPath(environment.path, 'unshare');
  if (unshare === null) return [];
  try {
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}; // root may make them where other users may not
    await run(unshare, ['--user', 'true'], { timeout: VERSION_LIMIT, cwd: '/', signal, ...user });
    return [fine('user namespaces', 'allowed')];
  } catch {
    signal.throwIfAborted();
    const setting = async (name: string): Promise<string> =>
      (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')).trim();
    if ((await setting('kernel/apparmor_restrict_unprivileged_userns')) === '1') {
      return [
        fine('user namespaces', 'forbidden by AppArmor', 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'),
      ];
    }
    if ((await setting('kernel/unprivileged_userns_clone')) === '0') {
      return [fine('user namespaces', 'switched off', 'sysctl -w kernel.unprivileged_userns_clone=1')];
    }
    const cure =
      'in a container: --security-opt seccomp=browsers/seccomp.json (in the repository), or seccomp=unconfined';
    return [fine('user namespaces', 'forbidden', cure)];
  }
}

const NETWORK_CURE =
  'it takes the right to make user and network namespaces (in a container: --security-opt seccomp=browsers/seccomp.json),\n' +
  'and unshare, nsenter and perl: apt-get install util-linux perl-base';

/** Checks whether the browser gets a network of its own. A crawl works without one: the proxy is its way out all the same. */
async function diagnoseNetwork(environment: BrowserEnvironment, signal: AbortSignal): Promise<Diagnosis> {
  const namespace = await openNetworkNamespace(environment.variables, signal);
  if (namespace === null) return fine('browser network', "the machine's, with the proxy for its way out", NETWORK_CURE);
  await namespace[Symbol.asyncDispose]();
  return fine('browser network', 'one of its own, which leads to the proxy and nowhere else');
}

async function diagnoseTemporarySpace(folder: string): Promise<Diagnosis> {
  try {
    await rm(await makeTemporaryFolder('orbweaver-doctor-', folder), { recursive: true });
  } catch (error) {
    return fromError('temporary files', error);
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${Math.round(free / 1024 / 1024)} MB free in ${folder} (used instead of /dev/shm)`;
  return free >= LEAST_TEMPORARY_SPACE
    ? fine('temporary files', detail)
    : bad('temporary files', detail, 'make room there, or set TMPDIR to a folder with 512 MB or more');
}
