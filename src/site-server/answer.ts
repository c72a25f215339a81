import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { sendContent, type AnswerHeaders, type Content } from './content.ts';
import { declaresOtherEncoding } from './declared-encoding.ts';
import { lookUpFile, statWithin } from './file-lookup.ts';
import { wantsFallback } from './history-fallback.ts';
import { mediaTypeOf } from './media-types.ts';
import type { Route, RouteAnswer, TakenRoute } from './route.ts';

/** One host of a site, as it answers. */
export interface ServedHost {
  /** Its name in site.json, `*.farm` where it is one of many. */
  readonly name: string;
  /** The text in place of the star where the host is one of many (`*.farm`); else null. */
  readonly label: string | null;
  /** Absolute folder of its files. */
  readonly root: string;
  /** The path below which its files are served, `/guide`; empty at the root. */
  readonly base: string;
  /** Absolute folder that `file` of a route starts from. */
  readonly siteFolder: string;
  /** File, relative to the root, that answers for the paths of a router; null: they are 404. */
  readonly fallback: string | null;
  /** The routes that can match here, the most special first. */
  readonly routes: readonly Route[];
  /** Changes every answer before it is sent; null: nothing is changed. */
  readonly rewrite: ((content: Content) => Promise<Content>) | null;
}

/** A request and the two halves of its target. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** The query with its question mark; empty where there is none. */
  readonly query: string;
}

const HTML = mediaTypeOf('page.html');
/** A path that no file has. */
const NOWHERE = '//';
const NOT_FOUND = '<!doctype html><html lang="en"><title>404 Not Found</title><h1>404 Not Found</h1></html>\n';

/** The first route that takes a request; null where it is left to files. */
export async function takeRoute(
  host: ServedHost,
  { path, query }: Pick<Exchange, 'path' | 'query'>,
): Promise<TakenRoute | null> {
  const { name, label, root, siteFolder } = host;
  for (const route of host.routes) {
    const taken = await route.take({ path, query, host: name, label, root, siteFolder });
    if (taken !== null) return taken;
  }
  return null;
}

/** Answers one request: a route of site.json, a file, the fallback or 404. Rejects when the signal ends a wait. */
export async function answer(host: ServedHost, exchange: Exchange, signal: AbortSignal): Promise<void> {
  const taken = await takeRoute(host, exchange);
  if (taken?.answer.delay !== undefined) await wait(taken.answer.delay, undefined, { signal });
  const own = taken === null ? await fileContent(host, exchange) : await routeContent(host, taken.answer, exchange);
  const content = host.rewrite === null ? own : await host.rewrite(own);
  if (taken?.send === undefined) await sendContent(exchange.request, exchange.response, content);
  else await taken.send(exchange, content, signal);
}

/** The content of a route, over that of the file that would be there without it. */
async function routeContent(host: ServedHost, route: RouteAnswer, exchange: Exchange): Promise<Content> {
  const headers = inLowerCase(route.headers ?? {});
  if (route.redirect !== undefined) {
    return { status: route.status ?? 302, headers: { ...headers, location: route.redirect }, source: Buffer.alloc(0) };
  }
  const own = await ownContent(host, route);
  const base = own ?? (await fileContent(host, exchange));
  const missing = own === null && base.status === 404 && route.status !== undefined;
  return {
    status: route.status ?? base.status,
    headers: { ...base.headers, ...headers },
    source: missing ? Buffer.alloc(0) : base.source,
  };
}

async function ownContent(host: ServedHost, route: RouteAnswer): Promise<Content | null> {
  if (route.body !== undefined) return textContent(HTML, route.body);
  if (route.json !== undefined) return textContent(mediaTypeOf('data.json'), JSON.stringify(route.json));
  if (route.file === undefined) return null;
  const found = await statWithin(host.siteFolder, join(host.siteFolder, route.file));
  if (found === null) throw new Error(`the file of a route is not in the folder: ${route.file}`);
  return await storedContent(found.path, 200);
}

async function fileContent(host: ServedHost, { request, path, query }: Exchange): Promise<Content> {
  const inside = path === host.base || path.startsWith(`${host.base}/`);
  const found = await lookUpFile(host.root, inside ? path.slice(host.base.length) : NOWHERE);
  if (found.kind === 'add-slash' || (path !== '' && path === host.base)) {
    return { status: 301, headers: { location: `${path}/${query}` }, source: Buffer.alloc(0) };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: found.kind === 'file' ? 405 : 404, headers: { allow: 'GET, HEAD' }, source: Buffer.alloc(0) };
  }
  if (found.kind === 'file') return await storedContent(found.path, 200);
  if (host.fallback !== null && inside && wantsFallback(request, path)) {
    const fallback = await statWithin(host.siteFolder, join(host.root, host.fallback));
    if (fallback !== null) return await storedContent(fallback.path, 200);
  }
  const page = await lookUpFile(host.root, '/404.html');
  if (page.kind === 'file') return await storedContent(page.path, 404);
  return { ...textContent(HTML, NOT_FOUND), status: 404 };
}

async function storedContent(path: string, status: number): Promise<Content> {
  const declared = mediaTypeOf(path);
  const type = (await declaresOtherEncoding(path, declared)) ? declared.replace(/;.*/, '') : declared;
  return { status, headers: { 'content-type': type }, source: { path, stats: await stat(path) } };
}

function textContent(type: string, text: string): Content {
  return { status: 200, headers: { 'content-type': type }, source: Buffer.from(text) };
}

function inLowerCase(headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
