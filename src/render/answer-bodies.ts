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
import { isWholeDocument } from '../core/links/whole-document.ts';
import type { DevToolsSession } from '../devtools/session.ts';
import type { LinkSighting } from '../model/link.ts';
import type { RecentKeys } from './recent-keys.ts';
import type { WatchedRequest } from './request-log.ts';
import { bareSighting, type FoundIn } from './sightings.ts';

const CLASSES = ['json', 'script', 'sheet', 'html'] as const;
type BodyClass = (typeof CLASSES)[number];

/** Answers of each class read in a visit, and characters of each that is read. */
const MOST: Readonly<Record<BodyClass, { readonly count: number; readonly length: number }>> = {
  json: { count: 20, length: 262_144 },
  script: { count: 10, length: 1_048_576 },
  sheet: { count: 10, length: 524_288 },
  // only to tell pages from pieces: an endless list asks for a piece at every turn
  html: { count: 4, length: 2_097_152 },
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
  readonly #counts: Record<BodyClass, number> = { json: 0, script: 0, sheet: 0, html: 0 };
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
    for (const name of CLASSES) this.#counts[name] = 0;
  }

  /** Links found so far in this visit. */
  get links(): readonly LinkSighting[] {
    return this.#links;
  }

  /** Is there an answer that was not read yet? Asks nothing of the browser. */
  waiting(
    requests: readonly WatchedRequest[],
    pageUrl: string,
    isOfSite: (url: string) => boolean,
  ): readonly (readonly [WatchedRequest, BodyClass])[] {
    const waiting: (readonly [WatchedRequest, BodyClass])[] = [];
    for (const request of requests) {
      if (!request.ended || this.#done.has(request.id)) continue;
      this.#done.add(request.id);
      const name = classOf(request, pageUrl);
      if (name === null || this.#counts[name] >= MOST[name].count) continue;
      if (name === 'html' && !isOfSite(request.url)) continue;
      if ((name === 'script' || name === 'sheet') && !this.#seen.add(request.url)) continue;
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
  const { type, method, status, contentType, frameId, url } = request;
  if (status === null || status < 200 || status >= 300 || frameId === null || contentType === null) return null;
  if (type === 'script' && /(?:java|ecma)script$/.test(contentType)) return 'script';
  if ((type === 'fetch' || type === 'xhr') && /[/+](?:x-)?(?:json|ndjson)$/.test(contentType)) return 'json';
  if ((type === 'fetch' || type === 'xhr') && method === 'GET' && contentType === 'text/html') return 'html';
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
    case 'html':
      return isWholeDocument(text) ? [pageLink(from.url, from.base)] : [];
  }
}

/** A page that a script fetched to show it without leaving: it may be visited as well. */
function pageLink(url: string, base: string): LinkSighting {
  const where = { frame: null, base, stage: 'load' as const };
  return bareSighting(url, { kind: 'script', context: 'fetch', confidence: 'low' }, where);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
