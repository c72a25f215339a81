/** The sign-ins of a crawl, from the user's file and back into it. Its content goes to its own domains and into no record. */
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import {
  domainsOf,
  expiredAt,
  parseStorageState,
  secretsOfState,
  stateOfDomain,
  withUnaskedOf,
  withStateOfDomain,
} from '../../core/sign-in/storage-state.ts';
import { systemCode } from '../../crawl-folder/disk-error.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import { registrableDomainOf, type RegistrableDomain } from '../../model/url/host-key.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { NO_SIGN_INS, type SignIns } from '../../render/sign-ins.ts';
import type { StorageState } from '../../../browsers/protocol/storage-state.ts';

/** Disposing it writes the last state; it must outlive the browser. */
export interface CrawlSignIns extends SignIns, AsyncDisposable {
  /** Values that no log may repeat. */
  readonly secrets: readonly string[];
  /** Takes over the state after a log-in: the parts of the domains that it has something for. */
  replace(state: StorageState): void;
}

interface SignInParts {
  readonly workingFolder: string;
  readonly seeds: readonly CanonicalUrl[];
  /** Can the crawl sign in? Then the file may be missing, or hold nothing that still counts. */
  readonly signsIn: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads the file. Without one the crawl is not signed in before a log-in, whose state stays in memory.
 * @throws {CrawlError} USAGE where it cannot be read, is no storage state, or would sign in nowhere: it has nothing for a seed's domain,
 *   or only what has expired
 */
export async function openSignIns(file: string | undefined, parts: SignInParts): Promise<CrawlSignIns> {
  if (file === undefined) {
    if (parts.signsIn) return new KeptSignIns(null, EMPTY, parts);
    return { ...NO_SIGN_INS, secrets: [], replace: () => {}, [Symbol.asyncDispose]: async () => {} };
  }
  const named = resolve(parts.workingFolder, file);
  const path = await realpath(named).catch((error: unknown) => {
    if (parts.signsIn && systemCode(error) === 'ENOENT') return null;
    throw unreadable(file, error);
  });
  if (path === null) return new KeptSignIns(named, EMPTY, parts);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const state = parseStorageState(text);
  if (state === null)
    throw refusal(
      `${file} is no storage state`,
      'It is JSON with "cookies" and "origins", as Playwright\'s storageState() writes it',
    );
  if (!parts.signsIn) checkUse(file, state, parts);
  return new KeptSignIns(path, parts.signsIn ? ofNow(state, parts.clock) : state, parts);
}

const EMPTY: StorageState = { cookies: [], origins: [] };

/** The state without what has expired: where the crawl can sign in, no sign-in is better than an expired one. */
function ofNow(state: StorageState, clock: Clock): StorageState {
  const holds = state.cookies.filter((cookie) => expiredAt({ cookies: [cookie], origins: [] }, clock.now()) === null);
  return { ...state, cookies: holds };
}

class KeptSignIns implements CrawlSignIns {
  readonly #secrets = new Set<string>();
  #list: readonly string[] | null = null;
  /** Null where it is kept in memory alone. */
  readonly #path: string | null;
  readonly #log: Log;
  readonly #writing = new Mutex();
  readonly tried: readonly RegistrableDomain[];
  #state: StorageState;
  #written: string;

  constructor(path: string | null, state: StorageState, { seeds, log }: SignInParts) {
    this.#path = path;
    this.#state = state;
    this.#written = textOf(state);
    this.#log = log;
    const domains = new Set(seeds.map((seed) => registrableDomainOf(seed)));
    this.tried = [...domains].filter((each) => this.stateOf(each) !== null).slice(0, TRIED);
    this.#learn(state);
  }

  /** The same list for as long as it does not change. */
  get secrets(): readonly string[] {
    this.#list ??= [...this.#secrets];
    return this.#list;
  }

  replace(state: StorageState): void {
    // a log-in begins with an empty storage: the sign-ins of other sites are not in its state
    for (const domain of domainsOf(state)) this.#state = withStateOfDomain(this.#state, domain, state);
    this.#learn(state);
    void this.#write();
  }

  stateOf(domain: RegistrableDomain): StorageState | null {
    return stateOfDomain(this.#state, domain);
  }

  keep(domain: RegistrableDomain, state: StorageState): void {
    // a site that has ended the session leaves nothing: the file stays as it was, and so do the contexts to come
    if (stateOfDomain(state, domain) === null) return;
    const before = stateOfDomain(this.#state, domain);
    this.#state = withStateOfDomain(this.#state, domain, before === null ? state : withUnaskedOf(before, state));
    this.#learn(state);
    void this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#write();
  }

  #learn(state: StorageState): void {
    this.#list = null;
    for (const secret of secretsOfState(state)) {
      this.#secrets.delete(secret); // the latest come last
      this.#secrets.add(secret);
    }
    for (const oldest of [...this.#secrets].slice(0, Math.max(0, this.#secrets.size - SECRETS)))
      this.#secrets.delete(oldest);
  }

  /** Writes what has changed. A file that cannot be written costs a line of the log: the crawl itself no longer needs it. */
  #write(): Promise<void> {
    return this.#writing.run(async () => {
      const text = textOf(this.#state);
      if (this.#path === null) return;
      if (text === this.#written) return;
      try {
        await writeWholeFile(this.#path, text);
        this.#written = text;
      } catch (error) {
        this.#log.warn('storage state not written', { file: this.#path, error: String(error) });
      }
    });
  }
}

function textOf(state: StorageState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** Refuses a file that signs in nowhere: the crawl would take log-in pages for a site. */
function checkUse(file: string, state: StorageState, { seeds, clock }: SignInParts): void {
  const domains = [...new Set(seeds.map((seed) => registrableDomainOf(seed)))];
  const parts = domains.flatMap((domain) => stateOfDomain(state, domain) ?? []);
  if (parts.length === 0) {
    const known = domainsOf(state).slice(0, SHOWN).join(', ');
    const has = known === '' ? 'it is empty' : `it is for ${known}`;
    throw refusal(
      `${file} holds nothing for ${domains.slice(0, SHOWN).join(', ')}: ${has}`,
      'Name the file of this site',
    );
  }
  const ends = parts.map((part) => expiredAt(part, clock.now()));
  if (ends.some((end) => end === null)) return;
  const last = new Date(Math.max(...ends.map((end) => end ?? 0))).toISOString();
  throw refusal(
    `the sign-in of ${file} has expired: the last of its cookies ended at ${last}`,
    'Sign in anew, and save the state again',
  );
}

/** Values that the log is kept free of: each costs time for every line of it (arbitrary). */
const SECRETS = 500;
/** Domains that a message names. */
const SHOWN = 5;
/** Domains whose state a browser tries: each costs a page (arbitrary). */
const TRIED = 5;

function unreadable(file: string, error: unknown): CrawlError {
  const why =
    systemCode(error) === 'ENOENT' ? 'there is no such file' : systemCode(error) || 'the system does not say why';
  return refusal(`${file} cannot be read: ${why}`, "Name a file as Playwright's storageState() writes it");
}

function refusal(what: string, cure: string): CrawlError {
  return new CrawlError('USAGE', `storageState: ${what}\n${cure}.`, { data: { option: 'storageState' } });
}
