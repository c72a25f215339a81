/**
 * Links in the answers that a page's scripts and markup asked for: data, scripts, sheets. Read once for each visit and answer;
 * a script or a sheet once for the crawl, for a site's pages share them: what a sheet names is then told of each page that
 * loads it, what a script holds of the first. Costs no call of the protocol on a page that has no such answers.
 */
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { styleLinks } from '../core/links/element-links.ts';
import { jsonStrings } from '../core/links/json-strings.ts';
import { withoutData } from '../core/links/requested-data.ts';
import { scriptLiterals } from '../core/links/script-literals.ts';
import { isWholeDocument } from '../core/links/whole-document.ts';
import type { KnownParts } from '../core/rendering/known-parts.ts';
import type { DevToolsSession } from '../devtools/session.ts';
import type { LinkSighting } from '../model/link.ts';
import type { WatchedRequest } from './request-log.ts';
import { bareSighting, sightingOf, type FoundIn } from './sightings.ts';

const CLASSES = ['json', 'script', 'sheet', 'html'] as const;
type BodyClass = (typeof CLASSES)[number];

/** Answers of each class read in a visit, and characters of each that is read. */
const MOST: Readonly<Record<BodyClass, { readonly count: number; readonly length: number }>> = {
  json: { count: 20, length: 262_144 },
  script: { count: 50, length: 1_048_576 },
  sheet: { count: 50, length: 4_194_304 },
  // only to tell pages from pieces: an endless list asks for a piece at every turn
  html: { count: 4, length: 2_097_152 },
};
/** Links kept of a visit's answers. */
const LINK_LIMIT = 2000;
/** For all answers of one reading; what comes later is left out. */
export const BODIES_TIME: Milliseconds = milliseconds(2000);

export class AnswerBodies {
  readonly #session: DevToolsSession;
  readonly #known: KnownParts;
  /** What was first asked for by requests that were answered with a redirect. */
  readonly #asked = new Map<string, string>();
  /** Ids of the answers that were read or passed over. */
  readonly #done = new Set<string>();
  readonly #counts: Record<BodyClass, number> = { json: 0, script: 0, sheet: 0, html: 0 };
  readonly #links: LinkSighting[] = [];

  /** @param known scripts and sheets that were read already, on whatever page */
  constructor(session: DevToolsSession, known: KnownParts) {
    this.#session = session;
    this.#known = known;
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#done.clear();
    this.#asked.clear();
    this.#links.length = 0;
    for (const name of CLASSES) this.#counts[name] = 0;
  }

  /** Links found so far in this visit. */
  get links(): readonly LinkSighting[] {
    return this.#links;
  }

  /** What the sheets name that were loaded so far, each as of the frame that loaded it. */
  sheetLinks(requests: readonly WatchedRequest[], { where, frameId, frames }: SheetPlace): readonly LinkSighting[] {
    const found: LinkSighting[] = [];
    const told = new Set<string>();
    for (const request of requests) {
      if (request.type !== 'stylesheet' || request.frameId === null || !isGood(request)) continue;
      const frame = request.frameId === frameId ? null : (frames.get(request.frameId) ?? null);
      const key = `${frame ?? ''}\n${request.url}`;
      if (told.has(key)) continue;
      told.add(key);
      for (const link of this.#known.sheet(this.#firstOf(request)) ?? []) {
        if (found.length >= LINK_LIMIT) return found;
        found.push(frame === null && where.stage === 'load' ? link : { ...link, frame, stage: where.stage });
      }
    }
    return found;
  }

  /** Is there an answer that was not read yet? Asks nothing of the browser. */
  waiting(
    requests: readonly WatchedRequest[],
    isOfSite: (url: string) => boolean,
  ): readonly (readonly [WatchedRequest, BodyClass])[] {
    const waiting: (readonly [WatchedRequest, BodyClass])[] = [];
    for (const request of requests) {
      if (!request.ended || this.#done.has(request.id)) continue;
      if (isRedirect(request)) {
        if (!this.#asked.has(request.id)) this.#asked.set(request.id, request.url);
        continue; // the same request goes on
      }
      this.#done.add(request.id);
      const name = classOf(request);
      if (name === null || this.#counts[name] >= MOST[name].count) continue;
      if (name === 'html' && !isOfSite(request.url)) continue;
      if (name === 'sheet' && this.#known.sheet(this.#firstOf(request)) !== null) continue;
      if (name === 'script' && !this.#isFresh(request)) continue;
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
        if (name === 'sheet') {
          if (text !== null) this.#learn(request, text);
          return;
        }
        if (text === null || text.length > MOST[name].length) return;
        const links = linksIn(text, name, { base, url: request.url, requested });
        const room = Math.max(0, LINK_LIMIT - this.#links.length);
        this.#links.push(...links.slice(0, room).map((link) => ({ ...link, stage })));
      }),
    );
  }

  /** A sheet that is too long names nothing: a browser shows it, and we need not read it for every page. */
  #learn(request: WatchedRequest, text: string): void {
    const where = { frame: null, base: request.url, stage: 'load' } as const;
    const links =
      text.length > MOST.sheet.length ? [] : styleLinks(text, 'style').map((link) => sightingOf(link, where));
    this.#known.learnSheet(this.#firstOf(request), links);
  }

  #isFresh(request: WatchedRequest): boolean {
    const first = this.#firstOf(request);
    const fresh = this.#known.learnScript(request.url);
    return first === request.url ? fresh : this.#known.learnScript(first) && fresh;
  }

  #firstOf({ id, url }: WatchedRequest): string {
    return this.#asked.get(id) ?? url;
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

/** Where the sheets of a visit were loaded. */
export interface SheetPlace {
  readonly where: Pick<FoundIn, 'stage'>;
  /** Id of the main frame. */
  readonly frameId: string;
  /** URLs of the frames below it, by their ids. */
  readonly frames: ReadonlyMap<string, string>;
}

/** What a cache holds and a server says is still right is answered with 304. */
function isGood({ status }: WatchedRequest): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 304);
}

function isRedirect({ status }: WatchedRequest): boolean {
  return status !== null && status >= 300 && status < 400 && status !== 304;
}

/** Null for what holds no links. */
function classOf(request: WatchedRequest): BodyClass | null {
  const { type, method, contentType, frameId, url } = request;
  if (!isGood(request) || frameId === null || contentType === null) return null;
  if (type === 'script' && /(?:java|ecma)script$/.test(contentType)) return 'script';
  if ((type === 'fetch' || type === 'xhr') && /[/+](?:x-)?(?:json|ndjson)$/.test(contentType)) return 'json';
  if ((type === 'fetch' || type === 'xhr') && method === 'GET' && contentType === 'text/html') return 'html';
  return type === 'stylesheet' && /^https?:/.test(url) && !contentType.includes('html') ? 'sheet' : null;
}

function linksIn(
  text: string,
  name: Exclude<BodyClass, 'sheet'>,
  from: { readonly base: string; readonly url: string; readonly requested: readonly string[] },
): readonly LinkSighting[] {
  switch (name) {
    case 'json':
      return withoutData(jsonStrings(text, from.base), from.requested);
    case 'script':
      return scriptLiterals(text, from.base);
    case 'html':
      return isWholeDocument(text) ? [pageLink(from.url, from.base)] : [];
  }
}

/** A page that a script fetched to show it without leaving: it may be visited as well. */
function pageLink(url: string, base: string): LinkSighting {
  const where = { frame: null, base, stage: 'load' as const };
  return bareSighting(url, { kind: 'script', context: 'fetch', confidence: 'low' }, where);
}
