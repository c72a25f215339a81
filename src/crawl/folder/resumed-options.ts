/**
 * The options of a crawl that is resumed: those of its crawl.json, and those that are given anew. A crawl folder may come from
 * somebody else. So it starts no program, names no server that the crawl's state would go to and no proxy, and gets no header that the user
 * has not given again.
 */
import { CrawlError } from '../../base/errors.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { httpAuthPlace } from '../../model/http-auth.ts';
import { splitHeaderLine, webOrigin } from '../../model/user-headers.ts';
import { REDACTED_OPTION } from './crawl-json.ts';

type GivenOptions = Readonly<Record<string, unknown>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Characters of a crawl.json text that a message shows. */
const SHOWN = 200;

/**
 * @param stored `options` of crawl.json
 * @param given the options that the user gives anew; a key that is undefined is not given
 * @throws {CrawlError} USAGE that names the values to give again, and by which option
 */
export function resumedOptions(stored: GivenOptions, given: GivenOptions): GivenOptions {
  const anew = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  requireHeaders(stored, anew);
  requireBrowser(stored, anew);
  requireRedis(stored, anew);
  requireStorage(stored, anew);
  requireSignIn(stored, anew);
  requireLogIn(stored, anew);
  requireHttpAuth(stored, anew);
  requireProxy(stored, anew);
  requirePrograms(stored, anew);
  requireConsent(stored, anew);
  requireSamePoliteness(stored, anew);
  // a folder lets no browser past the egress gate
  return { ...stored, ungatedBrowser: undefined, ...anew };
}

/**
 * The options whose seeds name folders by the paths that were served: relative ones began at the working folder of then.
 * @param served `served` of crawl.json, in the order of the seeds
 */
export function withServedFolders(stored: GivenOptions, served: readonly { readonly folder: string }[]): GivenOptions {
  const { seeds } = stored;
  if (!Array.isArray(seeds)) return stored;
  const isFolder = (seed: unknown): boolean => typeof seed === 'string' && !/^https?:/i.test(seed);
  if (seeds.filter(isFolder).length !== served.length) return stored; // one folder may be named twice
  const folders = served.map(({ folder }) => folder);
  return { ...stored, seeds: seeds.map((seed: unknown) => (isFolder(seed) ? folders.shift() : seed)) };
}

/** Header values are not kept, and half of a log-in is useless: the user must give all of them again. */
function requireHeaders(stored: GivenOptions, anew: GivenOptions): void {
  const namesOf = (lines: unknown): readonly string[] =>
    Array.isArray(lines) ? lines.map((line) => splitHeaderLine(String(line))[0]) : [];
  const known = new Set(namesOf(anew['headers']).map((name) => name.toLowerCase()));
  const missing = namesOf(stored['headers']).filter((name) => !known.has(name.toLowerCase()));
  if (missing.length > 0) {
    const these = missing.join(', ').slice(0, SHOWN);
    const what = `the crawl was started with headers whose values are not kept: ${these}`;
    throw again('headers', what, `Give them again if they are meant for ${placesOf(stored)}`);
  }
  if (Array.isArray(anew['headers']) && anew['headers'].some((line) => String(line).endsWith(`: ${REDACTED_OPTION}`)))
    throw again('headers', `${REDACTED_OPTION} stands in place of a value, and is not one`, 'Give the value itself');
}

/** The origins that the folder would have headers sent to. */
function placesOf({ headerOrigins, seeds }: GivenOptions): string {
  const named = Array.isArray(headerOrigins) && headerOrigins.length > 0 ? headerOrigins : seeds;
  const texts = Array.isArray(named) ? named.map(String) : [];
  const origins = new Set(texts.map((text) => webOrigin(text) ?? 'the folder that is served'));
  return [...origins].join(', ').slice(0, SHOWN);
}

function requireBrowser(stored: GivenOptions, anew: GivenOptions): void {
  const { browser } = stored;
  if (browser === undefined || anew['browser'] !== undefined || anew['render'] === 'never') return;
  const what = `the crawl was started with the browser ${shown(browser)}, and a crawl folder starts no program`;
  throw again('browser', what, 'Give that one again, or another');
}

function requireRedis(stored: GivenOptions, anew: GivenOptions): void {
  const { redis } = stored;
  if (redis === undefined || anew['redis'] !== undefined) return;
  if (LOOPBACK.test((typeof redis === 'string' ? parsedUrl(redis)?.hostname : null) ?? '')) return;
  const what = `the state of the crawl lies in ${shown(redis)}, and a crawl folder names no server of others`;
  throw again('redis', what, 'Give it again if you trust it');
}

/** A folder that was tampered with could otherwise send the pages of its user to another bucket. */
function requireStorage(stored: GivenOptions, anew: GivenOptions): void {
  const { snapshotStorage } = stored;
  if (snapshotStorage === undefined || anew['snapshotStorage'] !== undefined) return;
  const what = `snapshots of the crawl lie in ${shown(snapshotStorage)}, and a crawl folder names no storage of others`;
  throw again('snapshotStorage', what, 'Give it again if it is yours');
}

function requireSignIn(stored: GivenOptions, anew: GivenOptions): void {
  const { storageState } = stored;
  if (storageState === undefined || anew['storageState'] !== undefined) return;
  const what = `the crawl was signed in with ${shown(storageState)}, and a crawl folder takes no sign-in to sites that it names`;
  throw again('storageState', what, 'Give the file again if it is meant for them');
}

/** The file of `--login` may be a program, and it decides where passwords go. */
function requireLogIn(stored: GivenOptions, anew: GivenOptions): void {
  const { login } = stored;
  if (login === undefined || anew['login'] !== undefined) return;
  const what = `the crawl was signed in by ${shown(login)}, and a crawl folder signs in nowhere by itself`;
  throw again('login', what, 'Give the file again if it is meant for the sites that the folder names');
}

/** Passwords are not kept. */
function requireHttpAuth(stored: GivenOptions, anew: GivenOptions): void {
  const placesOfAuth = (texts: unknown): readonly string[] =>
    Array.isArray(texts) ? texts.map((text) => httpAuthPlace(String(text))) : [];
  const known = new Set(placesOfAuth(anew['httpAuth']));
  const missing = placesOfAuth(stored['httpAuth']).filter((place) => !known.has(place));
  if (missing.length === 0) return;
  const these = missing.join(', ').slice(0, SHOWN);
  throw again(
    'httpAuth',
    `the crawl was signed in at ${these}, and passwords are not kept`,
    'Give user and password again',
  );
}

/** The proxy sees where the crawl goes, so the folder must not choose it; and its password is not kept. */
function requireProxy(stored: GivenOptions, anew: GivenOptions): void {
  const { proxy } = stored;
  if (proxy === undefined || anew['proxy'] !== undefined) return;
  const what = `the crawl was started with the proxy ${shown(proxy)}, and a crawl folder names no server of others`;
  throw again('proxy', what, 'Give it again if you trust it, or another');
}

/** Files with code of the user are run only where the user names them. */
function requirePrograms(stored: GivenOptions, anew: GivenOptions): void {
  for (const [option, name] of [
    ['pageScripts', 'page scripts'],
    ['extensionFiles', 'extensions'],
  ] as const) {
    const files = stored[option];
    if (files === undefined || anew[option] !== undefined || (Array.isArray(files) && files.length === 0)) continue;
    throw again(
      option,
      `the crawl was started with ${name}, and a crawl folder starts no program: ${shown(files)}`,
      'Give them again',
    );
  }
}

/** Pages whose dialogs were answered otherwise are other pages: a crawl with half of each could be compared with none. */
function requireConsent({ consent: before = 'leave' }: GivenOptions, { consent }: GivenOptions): void {
  if (consent === undefined || consent === before) return;
  const what = `the crawl was started with consent ${shown(before)}, and goes on with it`;
  throw again('consent', what, 'Leave the option out, or begin a crawl of its own');
}

/** The state of the crawl knows delays of each address, or of all together; neither can be derived from the other. */
function requireSamePoliteness(stored: GivenOptions, anew: GivenOptions): void {
  const { perEgressAddress: before = false } = stored;
  const { perEgressAddress: now = before } = anew;
  if (now === before) return;
  const how = before === true ? 'counts' : 'does not count';
  const what = `the crawl ${how} politeness for each egress address, and goes on like that`;
  throw again('perEgressAddress', what, 'Leave the option out, or begin a crawl of its own');
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, SHOWN);
}

function again(option: string, what: string, cure: string): CrawlError {
  return new CrawlError('USAGE', `${what}\n${cure}.`, { data: { option } });
}
