/**
 * Links in the answers that a page's scripts and markup asked for: data, scripts, sheets. Read once for each visit and answer;
 * a script or a sheet once for the crawl, for a site's pages share them: what a sheet names is then told of each page that
 * loads it, what a script holds of the first. Costs no call of the protocol on a page that has no such answers.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { styleLinks } from '../../core/links/element-links.ts';
import { jsonStrings } from '../../core/links/json-strings.ts';
import { withoutRequestedData } from '../../core/links/requested-data.ts';
import { scriptLiterals } from '../../core/links/script-literals.ts';
import { isWholeDocument } from '../../core/links/whole-document.ts';
import type { KnownSubresources } from '../../core/page-clusters/known-subresources.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Offload } from '../../offload/offload.ts';
import { gaveUpWords, type Task } from '../../offload/task.ts';
import { ANSWER_LINK_LIMIT, SHEET_LINK_LIMIT, URL_SHOWN } from '../limits/reading-limits.ts';
import type { WatchedRequest } from '../page/request-log.ts';
import { bareLink, foundLinkOf, type FoundIn } from './found-links.ts';

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

export class AnswerBodies {
  readonly #session: DevToolsSession;
  readonly #known: KnownSubresources;
  readonly #offload: Offload;
  /** What was first asked for by requests that were answered with a redirect. */
  readonly #asked = new Map<string, string>();
  /** Ids of the answers that were read or passed over. */
  readonly #done = new Set<string>();
  readonly #counts: Record<BodyClass, number> = { json: 0, script: 0, sheet: 0, html: 0 };
  readonly #links: FoundLink[] = [];
  readonly #unread: string[] = [];

  /** @param known scripts and sheets that were read already, on whatever page */
  constructor(
    session: DevToolsSession,
    { known, offload }: { readonly known: KnownSubresources; readonly offload: Offload },
  ) {
    this.#session = session;
    this.#known = known;
    this.#offload = offload;
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#done.clear();
    this.#asked.clear();
    this.#links.length = 0;
    this.#unread.length = 0;
    for (const name of CLASSES) this.#counts[name] = 0;
  }

  /** Links found so far in this visit. */
  get links(): readonly FoundLink[] {
    return this.#links;
  }

  /** Answers of this visit that could not be read to their end, and why. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  /** What the sheets name that were loaded so far, each as of the frame that loaded it. */
  sheetLinks(requests: readonly WatchedRequest[], { where, frameId, frames }: SheetPlace): readonly FoundLink[] {
    const found: FoundLink[] = [];
    const told = new Set<string>();
    for (const request of requests) {
      if (request.type !== 'stylesheet' || request.frameId === null || !isGood(request)) continue;
      const frame = request.frameId === frameId ? null : (frames.get(request.frameId) ?? null);
      const key = `${frame ?? ''}\n${request.url}`;
      if (told.has(key)) continue;
      told.add(key);
      for (const link of this.#known.sheet(this.#firstOf(request)) ?? []) {
        if (found.length >= ANSWER_LINK_LIMIT) return found;
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

  /** Fetches the answers given, each handed over as it comes; one that cannot be had is left out. */
  async fetch(
    waiting: ReturnType<AnswerBodies['waiting']>,
    hand: (request: WatchedRequest, name: BodyClass, text: string) => void,
  ): Promise<void> {
    await Promise.all(
      waiting.map(async ([request, name]) => {
        const text = await this.#textOf(request.id);
        if (text !== null) hand(request, name, text);
      }),
    );
  }

  /**
   * Reads what was fetched.
   * @param found what references of scripts and data are relative to, the base of the page, and when they are found
   */
  async read(
    fetched: readonly (readonly [WatchedRequest, BodyClass, string])[],
    requests: readonly WatchedRequest[],
    { base, stage }: Pick<FoundIn, 'base' | 'stage'>,
    signal: AbortSignal,
  ): Promise<void> {
    const requested = requests.filter(({ type }) => type === 'fetch' || type === 'xhr').map(({ url }) => url);
    await Promise.all(
      fetched.map(async ([request, name, text]) => {
        if (name === 'sheet') {
          await this.#learn(request, text, signal);
          return;
        }
        if (text.length > MOST[name].length) return;
        const answer: ReadAnswer = { text, name, base, url: request.url, requested };
        const links = await this.#linksOf(ANSWER_LINKS, answer, signal);
        const room = Math.max(0, ANSWER_LINK_LIMIT - this.#links.length);
        this.#links.push(...links.slice(0, room).map((link) => ({ ...link, stage })));
      }),
    );
  }

  /** A sheet that is too long names nothing: a browser shows it, and we need not read it for every page. */
  async #learn(request: WatchedRequest, text: string, signal: AbortSignal): Promise<void> {
    const first = this.#firstOf(request);
    const sheet = { text, url: request.url };
    const links = text.length > MOST.sheet.length ? [] : await this.#linksOf(SHEET_LINKS, sheet, signal);
    this.#known.learnSheet(first, links);
  }

  async #linksOf<Input extends { readonly text: string; readonly url: string }>(
    task: Task<Input, readonly FoundLink[]>,
    input: Input,
    signal: AbortSignal,
  ): Promise<readonly FoundLink[]> {
    const read = await this.#offload.run(task, input, { url: input.url, size: input.text.length }, signal);
    if (read.kind === 'done') return read.value;
    this.#unread.push(`${gaveUpWords(task, read)} ${input.url.slice(0, URL_SHOWN)}`);
    return [];
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
interface SheetPlace {
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

/** An answer that is no sheet, with what its links are relative to. */
interface ReadAnswer {
  readonly text: string;
  readonly name: Exclude<BodyClass, 'sheet'>;
  readonly base: string;
  readonly url: string;
  /** What the page asked for by scripts. */
  readonly requested: readonly string[];
}

export const ANSWER_LINKS: Task<ReadAnswer, readonly FoundLink[]> = { name: 'links of an answer', run: linksIn };

/** The links of a sheet, as of the sheet itself. */
export const SHEET_LINKS: Task<{ readonly text: string; readonly url: string }, readonly FoundLink[]> = {
  name: 'links of a sheet',
  run: ({ text, url }) =>
    styleLinks(text, 'style')
      .slice(0, SHEET_LINK_LIMIT)
      .map((link) => foundLinkOf(link, { frame: null, base: url, stage: 'load' })),
};

function linksIn({ text, name, ...from }: ReadAnswer): readonly FoundLink[] {
  switch (name) {
    case 'json':
      return withoutRequestedData(jsonStrings(text, from.base), from.requested).slice(0, ANSWER_LINK_LIMIT);
    case 'script':
      return scriptLiterals(text, from.base).slice(0, ANSWER_LINK_LIMIT);
    case 'html':
      return isWholeDocument(text) ? [pageLink(from.url, from.base)] : [];
  }
}

/** A page that a script fetched to show it without leaving: it may be visited as well. */
function pageLink(url: string, base: string): FoundLink {
  const where = { frame: null, base, stage: 'load' as const };
  return bareLink(url, { kind: 'script', context: 'fetch', confidence: 'low' }, where);
}
