import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { fillCaptures, type Captures } from './captures.ts';
import { sendContent, type AnswerHeaders, type Content } from './content.ts';
import { FAULTS } from './faults.ts';
import { decodedPath, lookUpFile } from './file-lookup.ts';
import { wantsFallback } from './history-fallback.ts';
import { isText, mediaTypeOf } from './media-types.ts';
import { fillPlaceholders, fillPlaceholdersInBytes } from './placeholders.ts';
import type { Route, RouteAnswer } from './site-config.ts';

/** One host of a site, as it answers. */
export interface ServedHost {
  readonly name: string;
  /** What stands for the star where the host is one of many (`*.farm`); else null. */
  readonly label: string | null;
  /** Absolute folder of its files. */
  readonly root: string;
  /** Absolute folder that `file` of a route starts from. */
  readonly siteFolder: string;
  /** File, relative to the root, that answers for the paths of a router; null: they are 404. */
  readonly fallback: string | null;
  /** The routes that can match here, the most special first. */
  readonly routes: readonly Route[];
  /** All hosts of the site; null where the folder is no fixture and its files are served as they are. */
  readonly origins: ReadonlyMap<string, string> | null;
  /** How often a route with `times` has been asked for. */
  readonly uses: Map<Route, number>;
}

/** A request and the two halves of its target. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
}

const HTML = mediaTypeOf('page.html');
const NOT_FOUND = '<!doctype html><html lang="en"><title>404 Not Found</title><h1>404 Not Found</h1></html>\n';

/** A route that holds for a request, and what it took from the URL. */
interface TakenRoute {
  readonly answer: RouteAnswer;
  readonly captures: Captures;
}

/** The route for a request, or null; counts the use of those that hold for some requests only. */
export function takeRoute(host: ServedHost, path: string, query: string): TakenRoute | null {
  const found = findRoute(host, path, query);
  if (found === null) return null;
  const { route, captures } = found;
  const { times } = route.answer;
  if (times === undefined) return { answer: route.answer, captures };
  const used = host.uses.get(route) ?? 0;
  host.uses.set(route, used + 1);
  return used < times ? { answer: route.answer, captures } : null;
}

/** Answers one request: a route of site.json, a file, the fallback or 404. Rejects when the signal ends a wait. */
export async function answer(host: ServedHost, exchange: Exchange, signal: AbortSignal): Promise<void> {
  const taken = await routeFor(host, exchange);
  if (taken === null) {
    await sendContent(exchange.request, exchange.response, await fileContent(host, exchange));
    return;
  }
  const { answer: route } = taken;
  if (route.delay !== undefined) await wait(route.delay, undefined, { signal });
  if (route.behaviour === 'event-stream') {
    sendEvents(exchange.response, route.every ?? 0);
    return;
  }
  const content = await routeContent(host, taken, exchange);
  if (route.fault === undefined) {
    await sendContent(exchange.request, exchange.response, content);
    return;
  }
  const { status, headers, source } = content;
  const body = Buffer.isBuffer(source) ? source : await readFile(source.path);
  await FAULTS[route.fault]({ ...exchange, status, headers, body, every: route.every ?? 200 }, signal);
}

/** The route for an exchange; those that stand for missing files hold only where there is none. */
async function routeFor(host: ServedHost, { path, query }: Exchange): Promise<TakenRoute | null> {
  const taken = takeRoute(host, path, query);
  if (taken?.answer.absent !== true) return taken;
  return (await lookUpFile(host.root, path)).kind === 'none' ? taken : null;
}

function findRoute(host: ServedHost, path: string, query: string): { route: Route; captures: Captures } | null {
  const decoded = decodedPath(path);
  const parameters = new URLSearchParams(query);
  for (const route of host.routes) {
    const matched = matchPath(route, path, decoded);
    if (matched === null) continue;
    if (!route.query.every(([name, value]) => parameters.getAll(name).includes(value))) continue;
    if (!route.queryCaptures.every(([parameter]) => parameters.has(parameter))) continue;
    const values = route.queryCaptures.map(([parameter, name]) => [name, parameters.get(parameter) ?? ''] as const);
    const label = host.label === null ? [] : [['label', host.label] as const];
    return { route, captures: new Map([...label, ...Object.entries(matched), ...values]) };
  }
  return null;
}

/** What the route takes from the path; null where it is not for it. */
function matchPath(route: Route, path: string, decoded: string): Readonly<Record<string, string>> | null {
  if (route.pattern !== null) {
    const match = route.pattern.exec(path);
    return match === null ? null : { ...match.groups };
  }
  const matches = route.prefix ? decoded.startsWith(route.path) : decoded === route.path || path === route.path;
  return matches ? {} : null;
}

/** What a route says, over the file that would be there without it. */
async function routeContent(
  host: ServedHost,
  { answer: route, captures }: TakenRoute,
  exchange: Exchange,
): Promise<Content> {
  const headers = fillHeaders(host, route.headers ?? {});
  if (route.redirect !== undefined) {
    const location = fillCaptures(fill(host, route.redirect), captures);
    return { status: route.status ?? 302, headers: { ...headers, location }, source: Buffer.alloc(0) };
  }
  const own = await ownContent(host, route, captures);
  const base = own ?? (await fileContent(host, exchange));
  const missing = own === null && base.status === 404 && route.status !== undefined;
  return {
    status: route.status ?? base.status,
    headers: { ...base.headers, ...headers },
    source: missing ? Buffer.alloc(0) : base.source,
  };
}

async function ownContent(host: ServedHost, route: RouteAnswer, captures: Captures): Promise<Content | null> {
  const filled = (text: string): string => fillCaptures(fill(host, text), captures);
  if (route.body !== undefined) return textContent(HTML, filled(route.body));
  if (route.json !== undefined) return textContent(mediaTypeOf('data.json'), filled(JSON.stringify(route.json)));
  if (route.file === undefined) return null;
  const path = join(host.siteFolder, route.file);
  if (captures.size === 0 || !isText(mediaTypeOf(path))) return await readContent(host, path, 200);
  return textContent(mediaTypeOf(path), filled(await readFile(path, 'utf8')));
}

async function fileContent(host: ServedHost, { request, path, query }: Exchange): Promise<Content> {
  const found = await lookUpFile(host.root, path);
  if (found.kind === 'add-slash') {
    return { status: 301, headers: { location: `${path}/${query}` }, source: Buffer.alloc(0) };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: found.kind === 'file' ? 405 : 404, headers: { allow: 'GET, HEAD' }, source: Buffer.alloc(0) };
  }
  if (found.kind === 'file') return await readContent(host, found.path, 200);
  if (host.fallback !== null && wantsFallback(request, path)) {
    return await readContent(host, join(host.root, host.fallback), 200);
  }
  const page = await lookUpFile(host.root, '/404.html');
  if (page.kind === 'file') return await readContent(host, page.path, 404);
  return { ...textContent(HTML, NOT_FOUND), status: 404 };
}

async function readContent(host: ServedHost, path: string, status: number): Promise<Content> {
  const type = mediaTypeOf(path);
  const headers = { 'content-type': type };
  if (host.origins === null || !isText(type)) return { status, headers, source: { path, stats: await stat(path) } };
  return { status, headers, source: fillPlaceholdersInBytes(await readFile(path), host.origins, host.name) };
}

function textContent(type: string, text: string): Content {
  return { status: 200, headers: { 'content-type': type }, source: Buffer.from(text) };
}

function fill(host: ServedHost, text: string): string {
  return host.origins === null ? text : fillPlaceholders(text, host.origins, host.name);
}

function fillHeaders(host: ServedHost, headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? fill(host, value) : value.map((one) => fill(host, one)),
    ]),
  );
}

/** An EventSource that never closes: one comment, then an event every so often where `every` is not 0. */
function sendEvents(response: ServerResponse, every: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': open\n\n');
  if (every === 0) return;
  const timer = setInterval(() => response.write('data: tick\n\n'), every);
  response.once('close', () => clearInterval(timer));
}
