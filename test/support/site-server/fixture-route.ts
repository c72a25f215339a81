/** Routes of fixture sites: those of the site server, and routes that misbehave, apply only at times, or generate their pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { lookUpFile } from '../../../src/site-server/file-lookup.ts';
import { isText, mediaTypeOf } from '../../../src/site-server/media-types.ts';
import {
  carriesParameters,
  matchesPath,
  type Route,
  type RouteAnswer,
  type RouteEntry,
  type RouteTarget,
  type TakenRoute,
} from '../../../src/site-server/route.ts';
import { captureName, fillCaptures, literalLength, pathPattern, type Captures } from './captures.ts';
import { sendEvents } from './event-stream.ts';
import { FAULT_NAMES, FAULTS } from './faults.ts';
import { placeholderNames } from './placeholders.ts';
import { acceptWebSocket } from './websocket.ts';

/** Default milliseconds between two pieces of a slow body. */
const PIECE_INTERVAL = 200;

const schema = z.strictObject({
  fault: z.enum(FAULT_NAMES).optional(),
  /** The number of requests to which the route applies, at each host; later requests ignore it. Default: all. */
  times: z.number().int().min(1).optional(),
  behaviour: z.enum(['event-stream', 'websocket']).optional(),
  /** Applies only if there is no file: the answer of a server for missing pages. */
  absent: z.boolean().optional(),
  /** Milliseconds between two events, messages or pieces. Default: no events after the first; 200 for a slow body. */
  every: z.number().int().min(0).max(600_000).optional(),
});

type FixtureKeys = z.infer<typeof schema>;

/**
 * Makes a route of an entry of site.json.
 * @throws {CrawlError} SITE_INVALID
 */
export function fixtureRoute(entry: RouteEntry): Route {
  const keys = readKeys(entry);
  const fixed = entry.parameters.filter(([, value]) => captureName(value) === null);
  const pattern = pathPattern(entry.path, entry.prefix);
  const isOpen = entry.prefix || pattern !== null;
  const uses = new Map<string, number>();
  return {
    host: entry.host,
    speciality: [isOpen ? 0 : 1, literalLength(entry.path), entry.parameters.length, fixed.length],
    take: async (target) => {
      const captures = carriesParameters(fixed, target) ? capturesOf(entry, pattern, target) : null;
      if (captures === null) return null;
      if (keys.absent === true && (await lookUpFile(target.root, target.path)).kind !== 'none') return null;
      if (keys.times !== undefined) {
        const used = uses.get(target.host) ?? 0;
        if (used >= keys.times) return null;
        uses.set(target.host, used + 1);
      }
      return { answer: await filledAnswer(entry.answer, captures, target), ...ownWays(keys) };
    },
  };
}

function readKeys({ answer, others, hosts, refuse }: RouteEntry): FixtureKeys {
  const parsed = schema.safeParse(others);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const key = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.map(String)[0];
    throw refuse(key === undefined ? [] : [key], others[key ?? ''], issue?.message ?? 'not valid');
  }
  const { body, json, file, redirect } = answer;
  if (parsed.data.behaviour !== undefined && [body, json, file, redirect].some((source) => source !== undefined)) {
    throw refuse(['behaviour'], parsed.data.behaviour, 'there is another answer beside it');
  }
  for (const name of placeholderNames(JSON.stringify(answer))) {
    if (!hosts.has(name)) throw refuse([], name, 'a placeholder names no host of the site');
  }
  return parsed.data;
}

/** The captures of a request by name; null if the route does not match. */
function capturesOf(entry: RouteEntry, pattern: RegExp | null, { path, query, label }: RouteTarget): Captures | null {
  const matched = pattern === null ? null : pattern.exec(path);
  if (pattern === null ? !matchesPath(entry, path) : matched === null) return null;
  const captures = new Map([
    ...(label === null ? [] : [['label', label] as const]),
    ...Object.entries(matched?.groups ?? {}),
  ]);
  const sent = new URLSearchParams(query);
  for (const [parameter, value] of entry.parameters) {
    const name = captureName(value);
    if (name === null) continue;
    const given = sent.get(parameter);
    if (given === null) return null;
    captures.set(name, given);
  }
  return captures;
}

/** The answer with its captures filled in: in the body, the JSON, the file if it is text, and the redirect. */
async function filledAnswer(
  answer: RouteAnswer,
  captures: Captures,
  { siteFolder }: RouteTarget,
): Promise<RouteAnswer> {
  if (captures.size === 0) return answer;
  const { body, json, file, redirect } = answer;
  if (redirect !== undefined) return { ...answer, redirect: fillCaptures(redirect, captures) };
  if (body !== undefined) return { ...answer, body: fillCaptures(body, captures) };
  const type = mediaTypeOf(json === undefined ? (file ?? '') : 'data.json');
  if ((json === undefined && file === undefined) || !isText(type)) return answer;
  const text = json === undefined ? await readFile(join(siteFolder, file ?? ''), 'utf8') : JSON.stringify(json);
  return { ...answer, body: fillCaptures(text, captures), headers: { 'content-type': type, ...answer.headers } };
}

/** The ways of a route that does not just send its answer. */
function ownWays({ fault, behaviour, every }: FixtureKeys): Pick<TakenRoute, 'send' | 'upgrade'> {
  if (behaviour === 'event-stream') return { send: async ({ response }) => sendEvents(response, every ?? 0) };
  if (behaviour === 'websocket') return { upgrade: (request, socket) => acceptWebSocket(request, socket, every ?? 0) };
  if (fault === undefined) return {};
  return {
    send: async (exchange, { status, headers, source }, signal) => {
      const body = Buffer.isBuffer(source) ? source : await readFile(source.path);
      await FAULTS[fault]({ ...exchange, status, headers, body, every: every ?? PIECE_INTERVAL }, signal);
    },
  };
}
