/**
 * Finds the browser of a crawl: the requested one (`--browser`, then ORBWEAVER_BROWSER), else an installed one (Playwright's
 * cache, PATH, applications; headless shells first), else the package `@sparticuz/chromium` where somebody installed it.
 */
import { chmod } from 'node:fs/promises';
import { basename, isAbsolute, resolve } from 'node:path';
import { CrawlError } from '../../src/base/errors.ts';
import {
  behindScript,
  inPath,
  installedBrowsers,
  isProgram,
  type BrowserEnvironment,
  type BrowserFlavour,
} from '../browser-places.mjs';

export { browserEnvironment, type BrowserEnvironment, type BrowserFlavour } from '../browser-places.mjs';

export interface InstalledExecutable {
  readonly kind: 'executable';
  readonly path: string;
  readonly flavour: BrowserFlavour;
  /** Place where it was found, for people. */
  readonly source: string;
  /** The environment it is started with. */
  readonly variables: Readonly<Record<string, string>>;
}

export type FoundBrowser =
  | InstalledExecutable
  /** A browser that runs already: `http(s)://` speaks CDP, `ws(s)://` Playwright, unless its path is `/devtools/…`. */
  | { readonly kind: 'endpoint'; readonly url: string; readonly protocol: 'cdp' | 'playwright' };

export interface BrowserRequest {
  /** The flag: a path, a channel's name or an endpoint; null where it was not given. */
  readonly asked: string | null;
  readonly environment: BrowserEnvironment;
}

/** Ways to install a browser; the first line is the one to try. */
const BROWSER_CURE: string =
  'Install one with: apt-get install chromium-headless-shell   (Debian)\n' +
  '              or: npx playwright-core install --with-deps --only-shell chromium-headless-shell\n' +
  '              or: npm i @sparticuz/chromium';

/** Names people know from Playwright, beside the names of the programs themselves. */
const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  chrome: ['google-chrome-stable', 'google-chrome'],
  msedge: ['microsoft-edge-stable', 'microsoft-edge'],
  chromium: ['chromium', 'chromium-browser'],
  'chromium-headless-shell': ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'],
};

const SPARTICUZ = '@sparticuz/chromium';

/**
 * The browser to use.
 * @throws {CrawlError} BROWSER_MISSING where the requested browser is not there, or none is; the message names the cure.
 */
export async function findBrowser(request: BrowserRequest, signal: AbortSignal): Promise<FoundBrowser> {
  const { asked, environment } = request;
  if (asked !== null) return askedBrowser(asked, '--browser', environment);
  if (environment.browser !== null) return askedBrowser(environment.browser, 'ORBWEAVER_BROWSER', environment);
  const { variables } = environment;
  const installed = installedBrowsers(environment)[0];
  if (installed !== undefined) return { kind: 'executable', ...installed, variables };
  const packaged = await sparticuzBrowser(variables);
  signal.throwIfAborted();
  if (packaged !== null) return packaged;
  throw new CrawlError('BROWSER_MISSING', `no Chromium was found on this machine.\n${BROWSER_CURE}`);
}

/** A browser that can open a window: a headless shell cannot. Null where none is installed. */
export function findWindowBrowser(environment: BrowserEnvironment): InstalledExecutable | null {
  const asked =
    environment.browser === null ? null : askedBrowser(environment.browser, 'ORBWEAVER_BROWSER', environment);
  if (asked?.kind === 'executable' && asked.flavour === 'chromium') return asked;
  const found = installedBrowsers(environment).find(({ flavour }) => flavour === 'chromium');
  return found === undefined ? null : { kind: 'executable', ...found, variables: environment.variables };
}

function askedBrowser(asked: string, by: string, environment: BrowserEnvironment): FoundBrowser {
  if (/^(https?|wss?):\/\//.test(asked)) return endpointOf(asked, by);
  const names = CHANNELS[asked] ?? [asked];
  if (!asked.includes('/') && !asked.includes('\\')) {
    for (const name of names) {
      const path = inPath(environment.path, name);
      if (path !== null) return executable(path, `${by}: ${name} in PATH`, environment);
    }
    const installed = installedBrowsers(environment).find(({ path }) => channelOf(path) === asked);
    if (installed !== undefined) return { kind: 'executable', ...installed, variables: environment.variables };
  }
  const path = isAbsolute(asked) ? asked : resolve(asked);
  if (!isProgram(path)) {
    throw new CrawlError('BROWSER_MISSING', `${by} "${asked}" is no program that could be started.\n${BROWSER_CURE}`, {
      data: { browser: asked },
    });
  }
  return executable(behindScript(path, basename(path)) ?? path, by, environment);
}

/** The channel an application's path stands for: /Applications/Google Chrome.app/… is `chrome`. */
function channelOf(path: string): string {
  const name = basename(path, '.exe').toLowerCase();
  if (name.includes('edge')) return 'msedge';
  if (name.includes('chromium')) return 'chromium';
  return name.includes('headless') ? 'chromium-headless-shell' : 'chrome';
}

function executable(path: string, source: string, { variables }: BrowserEnvironment): FoundBrowser {
  const flavour = /headless[-_]shell/.test(basename(path)) ? 'headless-shell' : 'chromium';
  return { kind: 'executable', path, flavour, source, variables };
}

function endpointOf(url: string, by: string): FoundBrowser {
  if (!URL.canParse(url))
    throw new CrawlError('BROWSER_MISSING', `${by} "${url}" is no URL.`, { data: { browser: url } });
  const { protocol, pathname } = new URL(url);
  const cdp = protocol.startsWith('http') || pathname.startsWith('/devtools/');
  return { kind: 'endpoint', url, protocol: cdp ? 'cdp' : 'playwright' };
}

/** The npm package that carries a headless shell inside; it unpacks itself once, for about 2 s. */
async function sparticuzBrowser(variables: InstalledExecutable['variables']): Promise<FoundBrowser | null> {
  const module: unknown = await import(SPARTICUZ).catch(() => null); // an optional package: absent is the rule
  const wrapper: unknown = typeof module === 'object' && module !== null && 'default' in module ? module.default : null;
  if (!hasExecutablePath(wrapper)) return null;
  const path = await wrapper.executablePath();
  await chmod(path, 0o755); // unpacked as 0700, and the browser need not run as the user who unpacked it
  return { kind: 'executable', path, flavour: 'headless-shell', source: `the package ${SPARTICUZ}`, variables };
}

function hasExecutablePath(value: unknown): value is { executablePath(): Promise<string> } {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'executablePath' in value &&
    typeof value.executablePath === 'function'
  );
}
