/**
 * Routes of a site: they answer some of its requests in place of a file. `plainRoute` makes those that site.json knows; a caller of the server
 * may bring others (SiteExtension).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { CrawlError } from '../base/errors.ts';
import type { AnswerHeaders, Content } from './content.ts';
import { decodedPath } from './file-lookup.ts';

/** The answer of a route; without body, json, file or redirect: the existing file, with these changes. */
export interface RouteAnswer {
  /** Default: 200, or 302 where `redirect` is given. */
  readonly status?: number | undefined;
  readonly headers?: AnswerHeaders | undefined;
  /** Text of the answer; text/html unless a header says otherwise. */
  readonly body?: string | undefined;
  /** A JSON value as the answer. */
  readonly json?: unknown;
  /** A file of the site's folder (may lie outside of www/). */
  readonly file?: string | undefined;
  /** The target: an absolute URL or a path. */
  readonly redirect?: string | undefined;
  /** Milliseconds before the answer begins. */
  readonly delay?: number | undefined;
}

/** An entry of `routes` in site.json. */
export interface RouteEntry {
  /** Name of the host that it belongs to; null for all of them. */
  readonly host: string | null;
  /** Decoded path; without the star where `prefix` is set. */
  readonly path: string;
  readonly prefix: boolean;
  /** Parameters that a request must carry with just these values. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly answer: RouteAnswer;
  /** The entry's other fields, under keys that the server does not know. */
  readonly others: Readonly<Record<string, unknown>>;
  /** Names of all hosts of the site; empty where it has one without a name. */
  readonly hosts: ReadonlySet<string>;
  /** The error for a value of the entry that is not accepted. @param keys from the entry to the value */
  readonly refuse: (keys: readonly string[], value: unknown, why: string) => CrawlError;
}

/** A request as a route sees it. */
export interface RouteTarget {
  /** The path as it was sent, without query. */
  readonly path: string;
  /** The query with its question mark; empty where there is none. */
  readonly query: string;
  /** Name of the host in site.json, `*.farm` for one of many. */
  readonly host: string;
  /** The text in place of the star in the name of the host; null where it has none. */
  readonly label: string | null;
  /** Absolute folder of the host's files. */
  readonly root: string;
  /** Absolute folder that `file` of a route starts from. */
  readonly siteFolder: string;
}

/** The treatment of a request that a route takes. */
export interface TakenRoute {
  readonly answer: RouteAnswer;
  /** Sends the answer in a way of its own. Default: like any answer. */
  readonly send?: (exchange: RouteExchange, content: Content, signal: AbortSignal) => Promise<void>;
  /** Takes over the connection of a client that asks for another protocol. Default: 404. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
}

export interface RouteExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Route {
  /** Name of the host that it belongs to; null for all of them. */
  readonly host: string | null;
  /** Numbers that rank routes: the route with the greater first differing number is asked first. */
  readonly speciality: readonly number[];
  /** null: the request is left to other routes and to files. */
  take(target: RouteTarget): Promise<TakenRoute | null>;
}

/**
 * A route that answers a path, or all that begin like it, by its entry.
 * @throws {CrawlError} SITE_INVALID for an unknown key
 */
export function plainRoute(entry: RouteEntry): Route {
  const { host, path, prefix, parameters, answer, others } = entry;
  const [unknown] = Object.entries(others);
  if (unknown !== undefined) throw entry.refuse([unknown[0]], unknown[1], 'no such key');
  return {
    host,
    speciality: [prefix ? 0 : 1, path.length, parameters.length],
    take: async (target) =>
      matchesPath(entry, target.path) && carriesParameters(parameters, target) ? { answer } : null,
  };
}

/** Is a path, as it was sent, the one of an entry, or does it begin like it? */
export function matchesPath({ path, prefix }: Pick<RouteEntry, 'path' | 'prefix'>, sent: string): boolean {
  const decoded = decodedPath(sent);
  return prefix ? decoded.startsWith(path) : decoded === path || sent === path;
}

/** Does a request carry all these parameters with these values? */
export function carriesParameters(
  parameters: RouteEntry['parameters'],
  { query }: Pick<RouteTarget, 'query'>,
): boolean {
  const sent = new URLSearchParams(query);
  return parameters.every(([name, value]) => sent.getAll(name).includes(value));
}

/** The order in which routes are asked: those of one host before those of all, the more special first. */
export function bySpeciality(one: Route, other: Route): number {
  const hosts = Number(one.host === null) - Number(other.host === null);
  const differences = one.speciality.map((number, index) => (other.speciality[index] ?? 0) - number);
  return [hosts, ...differences].find((difference) => difference !== 0) ?? 0;
}
