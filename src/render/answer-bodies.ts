/**
 * Links in the answers that a page's scripts and markup asked for: data, scripts, sheets of other origins. Read once for
 * each visit and answer; a script or a sheet once for each browser, for a site's pages share them. Costs no call of the
 * protocol on a page that has no such answers.
 */
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { cssReferences } from '../core/links/css-text.ts';
import { jsonStrings } from '../core/links/json-strings.ts';
import { withoutData } from '../core/links/requested-data.ts';
import { scriptLiterals } from '../core/links/script-literals.ts';
import type { DevToolsSession } from '../devtools/session.ts';
import type { LinkSighting } from '../model/link.ts';
import type { RecentKeys } from './recent-keys.ts';
import type { WatchedRequest } from './request-log.ts';
import type { FoundIn } from './sightings.ts';

type BodyClass = 'json' | 'script' | 'sheet';

/** Answers of each class read in a visit, and characters of each that is read. */
const MOST: Readonly<Record<BodyClass, { readonly count: number; readonly length: number }>> = {
  json: { count: 20, length: 262_144 },
  script: { count: 10, length: 1_048_576 },
  sheet: { count: 10, length: 524_288 },
};
/** Links kept of a visit's answers. */
const LINK_LIMIT = 2000;
/** For all answers of one reading; what comes later is left out. */
export const BODIES_TIME: Milliseconds = milliseconds(2000);
/** Scripts and sheets that a browser remembers to have read. */
export const REMEMBERED = 5000;

export class AnswerBodies {
  readonly #session: DevToolsSession;
  readonly #seen: RecentKeys;
  /** Ids of the answers that were read or passed over. */
  readonly #done = new Set<string>();
  readonly #counts: Record<BodyClass, number> = { json: 0, script: 0, sheet: 0 };
  readonly #links: LinkSighting[] = [];

  /** @param seen scripts and sheets that were read already, on whatever page */
  constructor(session: DevToolsSession, seen: RecentKeys) {
    this.#session = session;
    this.#seen = seen;
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#done.clear();
    this.#links.length = 0;
    for (const name of ['json', 'script', 'sheet'] as const) this.#counts[name] = 0;
  }

  /** Links found so far in this visit. */
  get links(): readonly LinkSighting[] {
    return this.#links;
  }

  /** Is there an answer that was not read yet? Asks nothing of the browser. */
  waiting(requests: readonly WatchedRequest[], pageUrl: string): readonly (readonly [WatchedRequest, BodyClass])[] {
    const waiting: (readonly [WatchedRequest, BodyClass])[] = [];
    for (const request of requests) {
      if (!request.ended || this.#done.has(request.id)) continue;
      this.#done.add(request.id);
      const name = classOf(request, pageUrl);
      if (name === null || this.#counts[name] >= MOST[name].count) continue;
      if (name !== 'json' && !this.#seen.add(request.url)) continue;
      this.#counts[name] += 1;
      waiting.push([request, name]);
    }
    return waiting;
  }

  /**
   * Reads the answers given; one that cannot be had is left out.
   * @param found what references of scripts and data are relative to, the base of the page, and when they are found
   */
  async read(
    waiting: ReturnType<AnswerBodies['waiting']>,
    requests: readonly WatchedRequest[],
    { base, stage }: Pick<FoundIn, 'base' | 'stage'>,
  ): Promise<void> {
    const requested = requests.filter(({ type }) => type === 'fetch' || type === 'xhr').map(({ url }) => url);
    await Promise.all(
      waiting.map(async ([request, name]) => {
        const text = await this.#textOf(request.id);
        if (text === null || text.length > MOST[name].length) return;
        const links = linksIn(text, name, { base, url: request.url, requested });
        const room = Math.max(0, LINK_LIMIT - this.#links.length);
        this.#links.push(...links.slice(0, room).map((link) => ({ ...link, stage })));
      }),
    );
  }

  async #textOf(requestId: string): Promise<string | null> {
    try {
      const { body, base64Encoded } = await this.#session.send('Network.getResponseBody', { requestId });
      return base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
    } catch {
      return null; // not kept, or of a worker
    }
  }
}

/** Null for what holds no links, or was read with the page. */
function classOf(request: WatchedRequest, pageUrl: string): BodyClass | null {
  const { type, status, contentType, frameId, url } = request;
  if (status === null || status < 200 || status >= 300 || frameId === null || contentType === null) return null;
  if (type === 'script' && /(?:java|ecma)script$/.test(contentType)) return 'script';
  if ((type === 'fetch' || type === 'xhr') && /[/+](?:x-)?(?:json|ndjson)$/.test(contentType)) return 'json';
  // the page itself tells the rules of the others
  return type === 'stylesheet' && originOf(url) !== originOf(pageUrl) ? 'sheet' : null;
}

function linksIn(
  text: string,
  name: BodyClass,
  from: { readonly base: string; readonly url: string; readonly requested: readonly string[] },
): readonly LinkSighting[] {
  switch (name) {
    case 'json':
      return withoutData(jsonStrings(text, from.base), from.requested);
    case 'script':
      return scriptLiterals(text, from.base);
    case 'sheet':
      return cssReferences(text, from.url);
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
