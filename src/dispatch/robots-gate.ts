/**
 * Asked immediately before each fetch: may this URL be visited, and how slowly does its host want to be read? The rules
 * of a host are parsed once for each copy of its robots.txt.
 */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { parseRobots, type RobotsFile } from '../core/robots/robots-file.ts';
import type { RobotsAnswer, RobotsSource } from '../fetch/robots-source.ts';
import type { CanonicalUrl } from '../model/canonical-url.ts';
import { hostKeyOf, type HostKey } from '../model/host-key.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';

export type RobotsVerdict =
  | {
      readonly kind: 'allowed';
      readonly crawlDelay: Milliseconds | null;
      /** The host was asked for its robots.txt just now. */
      readonly fetched: boolean;
      /** As robots.txt names them. */
      readonly sitemaps: readonly string[];
    }
  | {
      readonly kind: 'disallowed';
      readonly rule: string;
      readonly crawlDelay: Milliseconds | null;
      readonly fetched: boolean;
      readonly sitemaps: readonly string[];
    }
  /** The server has trouble (5xx, 429): nothing may be fetched now, later perhaps. */
  | { readonly kind: 'forbidden-for-now'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string }
  | { readonly kind: 'blocked'; readonly detail: string };

export interface RobotsGate {
  verdict(url: CanonicalUrl, signal: AbortSignal): Promise<RobotsVerdict>;
}

/** Hosts whose parsed rules are kept; the source keeps the files of all. */
const KEPT_HOSTS = 500;

/** A gate that lets everything through: `--no-robots`. */
export const openGate: RobotsGate = {
  verdict: () => Promise.resolve({ kind: 'allowed', crawlDelay: null, fetched: false, sitemaps: [] }),
};

export function createRobotsGate(source: RobotsSource, robotsAgent: string, clock: Clock): RobotsGate {
  const parsed = new Map<HostKey, { readonly body: Uint8Array; readonly file: RobotsFile }>();

  function rulesOf(host: HostKey, body: Uint8Array): RobotsFile {
    const known = parsed.get(host);
    if (known?.body === body) return known.file;
    const file = parseRobots(body);
    parsed.delete(host);
    parsed.set(host, { body, file });
    const [oldest] = parsed.keys();
    if (parsed.size > KEPT_HOSTS && oldest !== undefined) parsed.delete(oldest);
    return file;
  }

  function judge(url: CanonicalUrl, answer: RobotsAnswer, asked: EpochMs): RobotsVerdict {
    switch (answer.kind) {
      case 'body': {
        const file = rulesOf(hostKeyOf(url), answer.body);
        const delay = file.crawlDelay(robotsAgent);
        const crawlDelay = delay === null ? null : milliseconds(delay);
        const { allowed, rule } = file.verdict(robotsAgent, url);
        const more = { crawlDelay, fetched: answer.fetchedAt >= asked, sitemaps: file.sitemaps };
        return allowed ? { kind: 'allowed', ...more } : { kind: 'disallowed', rule, ...more };
      }
      case 'allow-all':
        return { kind: 'allowed', crawlDelay: null, fetched: answer.fetchedAt >= asked, sitemaps: [] };
      case 'forbid-all':
        return { kind: 'forbidden-for-now', why: answer.why };
      case 'unreachable':
        return { kind: 'unreachable', failure: answer.failure, detail: answer.detail };
      case 'blocked':
        return { kind: 'blocked', detail: answer.detail };
    }
  }

  return {
    verdict: async (url, signal) => {
      const asked = clock.now();
      return judge(url, await source.answerFor(hostKeyOf(url), signal), asked);
    },
  };
}
