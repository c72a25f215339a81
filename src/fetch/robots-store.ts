/** Stores robots.txt files across restarts. No key expires by itself: the entry's own times and our clock decide. */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { epochMs, milliseconds } from '../base/units.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { RedisClient } from '../redis/client.ts';
import type { RobotsEntry, RobotsRules } from './robots-entry.ts';

export interface RobotsStore {
  /** The stored entry; null where nothing is known of the host. */
  get(host: HostKey): Promise<RobotsEntry | null>;
  put(host: HostKey, entry: RobotsEntry): Promise<void>;
}

export function memoryRobotsStore(): RobotsStore {
  const entries = new Map<HostKey, RobotsEntry>();
  return {
    get: (host) => Promise.resolve(entries.get(host) ?? null),
    put: (host, entry) => {
      entries.set(host, entry);
      return Promise.resolve();
    },
  };
}

/**
 * One hash per host, `<prefix><host>`: `about` is JSON (everything but the body), `body` the bytes as received.
 * @param prefix with the module's namespace, up to and including the last colon: `orbweaver:{<crawl>}:r:`
 */
export function redisRobotsStore(client: RedisClient, prefix: string): RobotsStore {
  return {
    get: async (host) => {
      const [about, body] = await client.hmgetBuffer(prefix + host, 'about', 'body');
      return about === null || about === undefined ? null : readEntry(about.toString('utf8'), body ?? null);
    },
    put: async (host, { rules, trouble }) => {
      const body = rules?.kind === 'body' ? Buffer.from(rules.body) : Buffer.alloc(0);
      const about = JSON.stringify({ rules: rules === null ? null : withoutBody(rules), trouble });
      await client.hset(prefix + host, 'about', about, 'body', body);
    },
  };
}

const time = z.number().transform(epochMs);
const failure = z.enum(['dns', 'refused', 'reset', 'tls', 'timeout', 'proxy', 'bad-response', 'other']);
const about = z.object({
  rules: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('body'), status: z.number(), fetchedAt: time }),
      z.object({ kind: z.literal('allow-all'), why: z.string(), fetchedAt: time }),
    ])
    .nullable(),
  trouble: z
    .object({
      what: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('forbid-all'),
          why: z.string(),
          retryAfter: z.number().transform(milliseconds).optional(),
        }),
        z.object({ kind: z.literal('unreachable'), failure, detail: z.string() }),
      ]),
      at: time,
      times: z.number().int().min(1),
    })
    .nullable(),
});

/** Reads a stored entry; null where this version did not write it: then the host is simply asked again. */
function readEntry(text: string, body: Buffer | null): RobotsEntry | null {
  const read = about.safeParse(parsedJson(text));
  if (!read.success) return null;
  const { rules, trouble } = read.data;
  if (rules?.kind !== 'body') return { rules, trouble };
  return body === null ? null : { rules: { ...rules, body: new Uint8Array(body) }, trouble };
}

function withoutBody(rules: RobotsRules): object {
  if (rules.kind === 'allow-all') return rules;
  const { body: _body, ...rest } = rules;
  return rest;
}
