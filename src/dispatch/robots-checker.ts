/**
 * Asked immediately before each fetch: may this URL be visited, and at which interval does its host want requests? The rules
 * of a host are parsed once for each copy of its robots.txt.
 */
import type { Clock } from '../base/clock.ts';
import { LruMap } from '../base/lru-map.ts';
import { milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import { parseRobots, type RobotsFile } from '../core/robots/robots-file.ts';
import type { RobotsAnswer, RobotsSource } from '../fetch/robots-source.ts';
import { NO_NAMES, type RobotsNames } from '../model/robots-names.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import { hostKeyOf, type HostKey } from '../model/url/host-key.ts';
import type { CleanParam } from '../model/url/url-parameters.ts';
import type { NetworkFailure } from '../model/visit-outcome.ts';

export type RobotsDecision =
  | {
      readonly kind: 'allowed';
      /** The deciding rule, for people; null where robots.txt is not asked for. */
      readonly rule: string | null;
      readonly crawlDelay: Milliseconds | null;
      /** The host's robots.txt was requested just now, though its last copy may have had to serve. */
      readonly fetched: boolean;
      readonly names: RobotsNames;
    }
  | {
      readonly kind: 'disallowed';
      readonly rule: string;
      readonly crawlDelay: Milliseconds | null;
      readonly fetched: boolean;
      /** It was requested just now, though its last copy may have had to serve. */
      readonly asked: boolean;
      readonly names: RobotsNames;
    }
  /** The server has trouble (5xx, 429): nothing may be fetched now, perhaps later. */
  | { readonly kind: 'forbidden-for-now'; readonly why: string; readonly retryAfter?: Milliseconds }
  | { readonly kind: 'unreachable'; readonly failure: NetworkFailure; readonly detail: string }
  | { readonly kind: 'blocked'; readonly detail: string };

export interface RobotsChecker {
  verdict(url: CanonicalUrl, signal: AbortSignal): Promise<RobotsDecision>;
  /** Clean-param of a host, from its robots.txt as far as it has been read; makes no request. @param host its HostKey */
  cleanParams(host: string): readonly CleanParam[];
  /** The line of robots.txt that forbids a URL, if the rules of its host are in memory; null where none does. Makes no request. */
  forbiddenBy(url: CanonicalUrl): string | null;
}

/** Most hosts whose parsed rules are kept; the source keeps the files of all. */
const KEPT_HOSTS = 500;

/** Most hosts whose Clean-param is kept; few have one. */
const CLEANING_HOSTS = 10_000;

/** Allows every URL without asking any host: `--no-robots`. */
export const allowAllUrls: RobotsChecker = {
  verdict: () => Promise.resolve({ kind: 'allowed', rule: null, crawlDelay: null, fetched: false, names: NO_NAMES }),
  cleanParams: () => [],
  forbiddenBy: () => null,
};

function namesOf(file: RobotsFile): RobotsNames {
  return {
    sitemaps: file.sitemaps,
    get paths() {
      return file.paths;
    },
    lacksSitemap: file.sitemaps.length === 0,
  };
}

export function createRobotsChecker(source: RobotsSource, robotsAgent: string, clock: Clock): RobotsChecker {
  const parsed = new LruMap<HostKey, { readonly body: Uint8Array; readonly file: RobotsFile }>(KEPT_HOSTS);

  /** Kept for longer than the rules: the identity of a URL must not change because its host was not asked for a while. */
  const cleaning = new Map<string, readonly CleanParam[]>();

  function noteCleanParams(host: HostKey, { cleanParams }: RobotsFile): void {
    if (cleanParams.length === 0) cleaning.delete(host);
    else if (cleaning.has(host) || cleaning.size < CLEANING_HOSTS) cleaning.set(host, cleanParams);
  }

  function rulesOf(host: HostKey, body: Uint8Array): RobotsFile {
    const known = parsed.get(host);
    if (known?.body === body) return known.file;
    const file = parseRobots(body);
    noteCleanParams(host, file);
    parsed.set(host, { body, file });
    return file;
  }

  function judge(url: CanonicalUrl, answer: RobotsAnswer, asked: EpochMs): RobotsDecision {
    switch (answer.kind) {
      case 'body': {
        const file = rulesOf(hostKeyOf(url), answer.body);
        const delay = file.crawlDelay(robotsAgent);
        const crawlDelay = delay === null ? null : milliseconds(delay);
        const { allowed, rule } = file.verdict(robotsAgent, url);
        const known = { rule, crawlDelay, names: namesOf(file) };
        if (allowed) return { kind: 'allowed', ...known, fetched: wasRequested(answer, asked) };
        const fetched = answer.fetchedAt >= asked;
        return { kind: 'disallowed', ...known, fetched, asked: wasRequested(answer, asked) };
      }
      case 'allow-all':
        return {
          kind: 'allowed',
          rule: answer.why,
          crawlDelay: null,
          fetched: wasRequested(answer, asked),
          names: { ...NO_NAMES, lacksSitemap: true },
        };
      case 'forbid-all':
        return {
          kind: 'forbidden-for-now',
          why: answer.why,
          ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
        };
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
    cleanParams: (host) => cleaning.get(host) ?? [],
    forbiddenBy: (url) => {
      const verdict = parsed.get(hostKeyOf(url))?.file.verdict(robotsAgent, url);
      return verdict === undefined || verdict.allowed ? null : verdict.rule;
    },
  };
}

/** Was robots.txt requested since a time, be it in vain? */
function wasRequested(
  { fetchedAt, triedAt = fetchedAt }: { readonly fetchedAt: EpochMs; readonly triedAt?: EpochMs },
  since: EpochMs,
): boolean {
  return Math.max(fetchedAt, triedAt) >= since;
}
