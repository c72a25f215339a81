import { readFile, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

import { z } from 'zod';

import { CrawlError } from '../base/errors.ts';
import { captureName, literalLength, pathPattern } from './captures.ts';
import { FAULT_NAMES, type FaultName } from './faults.ts';
import { placeholderNames } from './placeholders.ts';

/** `*.` stands for any one name in front. */
const HOST_NAME = /^(?:\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const ROUTE_KEY = /^(?:((?:\*\.)?[a-z0-9.-]+):)?(\/[^#]*)$/;
const duration = z.number().int().min(0).max(600_000);

/** What a route answers; without body, json, file, redirect or behaviour: the file that is there, with these changes. */
export interface RouteAnswer {
  /** Default: 200, or 302 where `redirect` is given. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
  /** Text of the answer; text/html unless a header says otherwise. */
  readonly body?: string | undefined;
  /** A JSON value as the answer. */
  readonly json?: unknown;
  /** A file of the fixture folder (may lie outside of www/). */
  readonly file?: string | undefined;
  /** Where to; an absolute URL, a path, or with placeholders another host. */
  readonly redirect?: string | undefined;
  /** Milliseconds before the answer begins. */
  readonly delay?: number | undefined;
  readonly fault?: FaultName | undefined;
  /** How many requests the route holds for; after them it is as if it were not there. Default: all. */
  readonly times?: number | undefined;
  readonly behaviour?: 'event-stream' | 'websocket' | undefined;
  /** Holds only where no file is there: what a server says of pages that it does not have. */
  readonly absent?: boolean | undefined;
  /** Milliseconds between two events, messages or pieces. Default: no events after the first; 200 for a slow body. */
  readonly every?: number | undefined;
}

const routeSchema = z.strictObject({
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  body: z.string().optional(),
  json: z.unknown().optional(),
  file: z.string().min(1).optional(),
  redirect: z.string().min(1).optional(),
  delay: duration.optional(),
  fault: z.enum(FAULT_NAMES).optional(),
  times: z.number().int().min(1).optional(),
  behaviour: z.enum(['event-stream', 'websocket']).optional(),
  absent: z.boolean().optional(),
  every: duration.optional(),
});

const siteSchema = z.strictObject({
  /** What the site is there to show; for people. */
  about: z.string().optional(),
  hosts: z.record(z.string().regex(HOST_NAME), z.string().min(1)).optional(),
  start: z.string().startsWith('/').default('/'),
  fallback: z.union([z.string().min(1), z.literal(false)]).default(false),
  routes: z.record(z.string().regex(ROUTE_KEY), routeSchema).default({}),
});

export interface Route {
  /** Name of the host that it belongs to; null for all of them. */
  readonly host: string | null;
  /** Decoded path; without the star where `prefix` is set. */
  readonly path: string;
  readonly prefix: boolean;
  /** What a raw path is matched with where the route captures parts of it; else null. */
  readonly pattern: RegExp | null;
  /** Parameters that a request must carry with just these values. */
  readonly query: readonly (readonly [string, string])[];
  /** Parameters that a request must carry, and the names that their values are captured under. */
  readonly queryCaptures: readonly (readonly [string, string])[];
  readonly answer: RouteAnswer;
}

/** site.json, checked; `hosts` is empty where the site has one host without a name. */
export interface SiteConfig {
  /** Host name → absolute folder. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Absolute folder of `www/`, for a site without named hosts. */
  readonly root: string;
  readonly start: string;
  readonly fallback: string | false;
  /** The most special first. */
  readonly routes: readonly Route[];
}

/** Name of the description in a fixture folder. */
const SITE_FILE = 'site.json';

/**
 * Reads site.json of a folder; null where it has none.
 * @throws {CrawlError} SITE_INVALID, with the key and the value that are wrong
 */
export async function readSiteConfig(folder: string): Promise<SiteConfig | null> {
  const text = await readFile(join(folder, SITE_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  return text === null ? null : await parseSiteConfig(text, folder);
}

async function parseSiteConfig(text: string, folder: string): Promise<SiteConfig> {
  const value = parseJson(text, folder);
  const parsed = siteSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = (issue?.path ?? []).map(String);
    const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const key = unknownKey === undefined ? path : [...path, unknownKey];
    throw invalid(folder, key, valueAt(value, key), issue?.message ?? 'not valid');
  }
  const site = parsed.data;
  const hosts = new Map<string, string>();
  for (const [name, path] of Object.entries(site.hosts ?? {})) {
    hosts.set(name, await folderOf(folder, ['hosts', name], path));
  }
  const root = hosts.size > 0 ? resolve(folder) : await folderOf(folder, ['hosts'], 'www');
  const routes = Object.entries(site.routes).map(([key, answer]) => readRoute(folder, key, answer, hosts));
  routes.sort(bySpeciality);
  return { hosts, root, start: site.start, fallback: site.fallback, routes };
}

function readRoute(folder: string, key: string, answer: RouteAnswer, hosts: ReadonlyMap<string, string>): Route {
  const at = ['routes', key];
  const [, host, target = '/'] = ROUTE_KEY.exec(key) ?? [];
  if (host !== undefined && !hosts.has(host)) throw invalid(folder, at, host, 'no host of this name');
  const sources = ['body', 'json', 'file', 'redirect', 'behaviour'].filter((name) => Object.hasOwn(answer, name));
  if (sources.length > 1) throw invalid(folder, at, sources.join(', '), 'only one of these can be the answer');
  for (const name of placeholderNames(JSON.stringify(answer))) {
    if (!hosts.has(name)) throw invalid(folder, at, name, 'a placeholder names no host of the site');
  }
  if (answer.file !== undefined && !isWithin(folder, resolve(folder, answer.file))) {
    throw invalid(folder, [...at, 'file'], answer.file, 'the file lies outside of the folder');
  }
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const prefix = path.endsWith('*');
  const whole = prefix ? path.slice(0, -1) : path;
  const parameters = mark < 0 ? [] : [...new URLSearchParams(target.slice(mark))];
  return {
    host: host ?? null,
    path: whole,
    prefix,
    pattern: pathPattern(whole, prefix),
    query: parameters.filter(([, value]) => captureName(value) === null),
    queryCaptures: parameters.flatMap(([parameter, value]) => {
      const name = captureName(value);
      return name === null ? [] : [[parameter, name] as const];
    }),
    answer,
  };
}

/** A host of its own before any host, whole paths before captures and prefixes, long before short, more parameters before fewer. */
function bySpeciality(one: Route, other: Route): number {
  return (
    Number(one.host === null) - Number(other.host === null) ||
    Number(isOpen(one)) - Number(isOpen(other)) ||
    literalLength(other.path) - literalLength(one.path) ||
    parametersOf(other) - parametersOf(one) ||
    other.query.length - one.query.length
  );
}

function isOpen({ prefix, pattern }: Route): boolean {
  return prefix || pattern !== null;
}

function parametersOf({ query, queryCaptures }: Route): number {
  return query.length + queryCaptures.length;
}

async function folderOf(folder: string, key: readonly string[], path: string): Promise<string> {
  const full = resolve(folder, path);
  if (!isWithin(folder, full)) throw invalid(folder, key, path, 'the folder lies outside of the site');
  const found = await stat(full).catch(() => null);
  if (found?.isDirectory() !== true) throw invalid(folder, key, path, 'there is no such folder');
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
