import { readFile, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

import { z } from 'zod';

import { CrawlError } from '../base/errors.ts';
import { statWithin } from './file-lookup.ts';
import { bySpeciality, plainRoute, type Route, type RouteEntry } from './route.ts';

/** `*.` stands for any one name at the beginning. */
const HOST_NAME = /^(?:\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const ROUTE_KEY = /^(?:((?:\*\.)?[a-z0-9.-]+):)?(\/[^#]*)$/;

interface RouteFields {
  readonly status?: number | undefined;
  readonly headers?: Record<string, string | string[]> | undefined;
  readonly body?: string | undefined;
  readonly json?: unknown;
  readonly file?: string | undefined;
  readonly redirect?: string | undefined;
  readonly delay?: number | undefined;
  readonly [other: string]: unknown;
}

/** Further keys are left to the maker of the route. */
const routeSchema: z.ZodType<RouteFields> = z.looseObject({
  status: z.number().int().min(200).max(599).optional(),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())], { error: 'must be a text, or a list of texts' }))
    .optional(),
  body: z.string().optional(),
  json: z.unknown().optional(),
  file: z.string().min(1).optional(),
  redirect: z.string().min(1).optional(),
  delay: z.number().int().min(0).max(600_000).optional(),
});

/** site.json as it is written. */
interface SiteFile {
  readonly about?: string | undefined;
  readonly hosts?: Readonly<Record<string, string>> | undefined;
  readonly start: string;
  readonly fallback: string | false;
  readonly routes: Readonly<Record<string, RouteFields>>;
}

/** schemas/site.schema.json is generated from it. */
export const siteFileSchema: z.ZodType<SiteFile> = z.strictObject({
  $schema: z.string().optional(),
  /** The purpose of the site; for people. */
  about: z.string().optional(),
  hosts: z
    .record(z.string().regex(HOST_NAME, { error: 'a host is named like one, docs.one or *.one' }), z.string().min(1))
    .optional(),
  start: z.string().startsWith('/').default('/'),
  fallback: z
    .union([z.string().min(1), z.literal(false)], { error: 'must be the name of a file, or false' })
    .default(false),
  routes: z
    .record(z.string().regex(ROUTE_KEY, { error: 'a route is a path, as in /path or one:/path' }), routeSchema)
    .default({}),
});

/** site.json, checked; `hosts` is empty where the site has one host without a name. */
export interface SiteConfig {
  /** Host name → absolute folder. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Absolute folder of `www/`, for a site without named hosts. */
  readonly root: string;
  readonly start: string;
  readonly fallback: string | false;
  /** The routes, the most special first. */
  readonly routes: readonly Route[];
}

/** Name of the description in a fixture folder. */
const SITE_FILE = 'site.json';

/**
 * Reads site.json of a folder; null where it has none.
 * @param readRoute makes the routes
 * @throws {CrawlError} SITE_INVALID, with the wrong key and value
 */
export async function readSiteConfig(
  folder: string,
  readRoute: (entry: RouteEntry) => Route = plainRoute,
): Promise<SiteConfig | null> {
  const text = await readFile(join(folder, SITE_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (text === null) return null;
  const site = readDescription(text, folder);
  const hosts = new Map<string, string>();
  for (const [name, path] of Object.entries(site.hosts ?? {})) {
    hosts.set(name, await folderOf(folder, ['hosts', name], path));
  }
  const root = hosts.size > 0 ? resolve(folder) : await folderOf(folder, ['hosts'], 'www');
  const { fallback } = site;
  const roots = hosts.size > 0 ? [...hosts.values()] : [root];
  if (fallback !== false && !roots.every((each) => isWithin(folder, resolve(each, fallback))))
    throw invalid(folder, ['fallback'], fallback, 'the file lies outside of the folder');
  const entries = Object.entries(site.routes).map(([key, said]) => routeEntry(folder, key, said, hosts));
  return {
    hosts,
    root,
    start: site.start,
    fallback,
    routes: entries.map((entry) => readRoute(entry)).toSorted(bySpeciality),
  };
}

function readDescription(text: string, folder: string): SiteFile {
  const value = parseJson(text, folder);
  const parsed = siteFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).map(String);
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const key = unknownKey === undefined ? path : [...path, unknownKey];
  throw invalid(folder, key, valueAt(value, key), whyOf(issue));
}

const KEYS = 'about, hosts, start, fallback and routes';

function whyOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `no such key; there are ${KEYS}`;
  const [ofKey] = issue?.code === 'invalid_key' ? issue.issues : [];
  return ofKey?.message ?? issue?.message ?? 'not valid';
}

function routeEntry(folder: string, key: string, said: RouteFields, hosts: ReadonlyMap<string, string>): RouteEntry {
  const refuse: RouteEntry['refuse'] = (keys, value, why) => invalid(folder, ['routes', key, ...keys], value, why);
  const [, host, target = '/'] = ROUTE_KEY.exec(key) ?? [];
  if (host !== undefined && !hosts.has(host)) throw refuse([], host, 'no host of this name');
  const { status, headers, body, json, file, redirect, delay, ...others } = said;
  const sources = ['body', 'json', 'file', 'redirect'].filter((name) => Object.hasOwn(said, name));
  if (sources.length > 1) throw refuse([], sources.join(', '), 'only one of these can be the answer');
  if (file !== undefined && !isWithin(folder, resolve(folder, file))) {
    throw refuse(['file'], file, 'the file lies outside of the folder');
  }
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const prefix = path.endsWith('*');
  return {
    host: host ?? null,
    path: prefix ? path.slice(0, -1) : path,
    prefix,
    parameters: mark < 0 ? [] : [...new URLSearchParams(target.slice(mark))],
    answer: { status, headers, body, json, file, redirect, delay },
    others,
    hosts: new Set(hosts.keys()),
    refuse,
  };
}

async function folderOf(folder: string, key: readonly string[], path: string): Promise<string> {
  const full = resolve(folder, path);
  if (!isWithin(folder, full)) throw invalid(folder, key, path, 'the folder lies outside of the site');
  const found = await stat(full).catch(() => null);
  if (found?.isDirectory() !== true) throw invalid(folder, key, path, 'there is no such folder');
  // the folder may come from somebody else, and its pages read what is served
  if ((await statWithin(folder, full)) === null)
    throw invalid(folder, key, path, 'it is a link, and leads outside of the site');
  return full;
}

function isWithin(folder: string, path: string): boolean {
  const root = resolve(folder);
  return path === root || path.startsWith(root + sep);
}

function parseJson(text: string, folder: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CrawlError('SITE_INVALID', `${join(folder, SITE_FILE)} is not valid JSON: ${String(cause)}`, { cause });
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Object.entries(current).find(([name]) => name === key)?.[1];
  }
  return current;
}

function invalid(folder: string, path: readonly string[], value: unknown, why: string): CrawlError {
  const key = path.join(' → ') || 'the whole';
  const shown = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 200);
  const file = join(folder, SITE_FILE);
  return new CrawlError('SITE_INVALID', `${file}: ${key} is ${shown}: ${why}.`, { data: { file, key, value: shown } });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
