/**
 * The state that a sign-in leaves in a browser: cookies, local storage and databases, as Playwright puts them into a file (`storageState`), and
 * session storage. All of it counts as a secret. Each registrable domain gets its own part of it and no other.
 */
import { z } from 'zod';
import type { StorageState } from '../../../browsers/protocol/storage-state.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { epochMs, type EpochMs } from '../../base/units.ts';
import { registrableDomainOf, storedHostKey, type RegistrableDomain } from '../../model/url/host-key.ts';

const item = z.object({ name: z.string(), value: z.string() });
/** The latest time that Playwright takes; milliseconds are beyond it. */
const LATEST = 253_402_300_799;
const cookie = z
  .object({
    name: z.string(),
    value: z.string(),
    domain: z.string().min(1),
    path: z.string().min(1).default('/'),
    /** Seconds since 1970; -1 for the end of the session. */
    expires: z
      .number()
      .transform((time) => (time < 0 ? -1 : Math.min(time, LATEST)))
      .default(-1),
    httpOnly: z.boolean().default(false),
    secure: z.boolean().default(false),
    sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
    partitionKey: z.string().optional(),
    _crHasCrossSiteAncestor: z.boolean().optional(),
  })
  // Firefox and WebKit say so of cookies that do not say it themselves, and Chromium would take none of these
  .transform((read) => (read.sameSite === 'None' && !read.secure ? { ...read, sameSite: 'Lax' as const } : read));
/** As Playwright demands it of a database; the values of records are its own affair. */
const keyPaths = { keyPath: z.string().optional(), keyPathArray: z.array(z.string()).optional() };
const index = z.looseObject({ name: z.string(), multiEntry: z.boolean(), unique: z.boolean(), ...keyPaths });
const store = z.looseObject({
  name: z.string(),
  autoIncrement: z.boolean(),
  records: z.array(z.looseObject({})),
  indexes: z.array(index),
  ...keyPaths,
});
const database = z.looseObject({ name: z.string(), version: z.int(), stores: z.array(store) });
const origin = z.object({
  origin: z.string(),
  localStorage: z.array(item).default([]),
  indexedDB: z.array(database).optional(),
  sessionStorage: z.array(item).optional(),
});
const schema = z.object({ cookies: z.array(cookie).default([]), origins: z.array(origin).default([]) });

/** Reads the text of a file. @returns null where it is no storage state */
export function parseStorageState(text: string): StorageState | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The part of a domain; null where it has none. */
export function stateOfDomain(state: StorageState, domain: RegistrableDomain): StorageState | null {
  const cookies = state.cookies.filter((each) => domainOfCookie(each.domain) === domain);
  const origins = state.origins.filter(({ origin }) => domainOfOrigin(origin) === domain);
  return cookies.length === 0 && origins.length === 0 ? null : { cookies, origins };
}

/** The state with the part of a domain replaced: other domains stay as they are, and no context may write them. */
export function withStateOfDomain(state: StorageState, domain: RegistrableDomain, part: StorageState): StorageState {
  const own = stateOfDomain(part, domain) ?? { cookies: [], origins: [] };
  return {
    cookies: [...state.cookies.filter((each) => domainOfCookie(each.domain) !== domain), ...own.cookies],
    origins: [...state.origins.filter(({ origin }) => domainOfOrigin(origin) !== domain), ...own.origins],
  };
}

/** A later state of the same domain, with the databases and the session storage of the one before: a browser is not asked for them. */
export function withUnaskedOf(before: StorageState, state: StorageState): StorageState {
  const later = new Map(state.origins.map((each) => [each.origin, each]));
  for (const { origin, indexedDB = [], sessionStorage = [] } of before.origins) {
    if (indexedDB.length + sessionStorage.length === 0) continue;
    const now = later.get(origin) ?? { origin, localStorage: [] };
    const databases = indexedDB.length === 0 ? {} : { indexedDB };
    later.set(origin, { ...now, ...databases, ...(sessionStorage.length === 0 ? {} : { sessionStorage }) });
  }
  return { ...state, origins: [...later.values()] };
}

/** Registrable domains that it has something for, in the order of their names. */
export function domainsOf(state: StorageState): readonly RegistrableDomain[] {
  const all = [
    ...state.cookies.map((each) => domainOfCookie(each.domain)),
    ...state.origins.map(({ origin }) => domainOfOrigin(origin)),
  ];
  return [...new Set(all.filter((each) => each !== null))].toSorted();
}

/** The time at which its last cookie expired; null where one is still valid, or where it has local storage, which never expires. */
export function expiredAt(state: StorageState, now: EpochMs): EpochMs | null {
  if (state.origins.length > 0 || state.cookies.length === 0) return null;
  const ends = state.cookies.map(({ expires }) => (expires < 0 ? Number.POSITIVE_INFINITY : expires * 1000));
  const last = Math.max(...ends);
  return last < now ? epochMs(last) : null;
}

/**
 * Values that no record, log or message may repeat; short ones are left out: they are words that stand everywhere. What stands in
 * databases comes first, as the least important: they hold much that is no secret.
 */
export function secretsOfState({ cookies, origins }: StorageState): readonly string[] {
  const stored = origins.flatMap(({ indexedDB = [] }) => textsIn(indexedDB)).filter(isLong(TOKEN_LENGTH));
  const items = origins.flatMap(({ localStorage, sessionStorage = [] }) => [...sessionStorage, ...localStorage]);
  const values = [...cookies, ...items].map(({ value }) => value);
  return [...new Set([...stored, ...values.filter(isLong(SECRET_LENGTH))])];
}

const SECRET_LENGTH = 8;
/** In databases whole sentences stand beside tokens. */
const TOKEN_LENGTH = 20;

const isLong =
  (length: number) =>
  (text: string): boolean =>
    text.length >= length;

/** All texts in a value out of a JSON file, without recursion. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) open.push(each);
  }
  return texts;
}

function domainOfCookie(domain: string): RegistrableDomain | null {
  return domainOfOrigin(`https://${domain.replace(/^\./, '')}`);
}

function domainOfOrigin(origin: string): RegistrableDomain | null {
  const url = parsedUrl(origin);
  return url === null || !/^https?:$/.test(url.protocol) ? null : registrableDomainOf(storedHostKey(url.origin));
}
