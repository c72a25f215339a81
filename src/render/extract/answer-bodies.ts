/**
 * Finds links in the answers to requests of a page's scripts and markup: data, scripts, sheets. Each answer is read once in a visit, a script
 * or a sheet once in the crawl, as a site's pages share them: the links of a sheet count for each page that loads it, those of a script
 * for the first page, by whatever URLs the script comes. A page without such answers costs no call of the protocol.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { grouped } from '../../base/count-words.ts';
import type { SourceReference } from '../../core/links/markup/dropped-markup.ts';
import type { KnownSubresources } from '../../core/page-clusters/known-subresources.ts';
import type { FoundLink } from '../../model/link.ts';
import type { PageAnswer } from '../../model/page.ts';
import type { Offload } from '../../offload/offload.ts';
import { gaveUpWords, type Task } from '../../offload/task.ts';
import { ANSWER_LINK_LIMIT } from '../limits/reading-limits.ts';
import type { WatchedRequest } from '../page/watched-request.ts';
import { ANSWER_LINKS, DOCUMENT_REFERENCES, MENTIONED_NAMES, SHEET_LINKS, type ReadAnswer } from './answer-tasks.ts';
import { CLASSES, bodyClassOf, isGood, isRedirect, type BodyClass } from './answer-classes.ts';
import type { FoundIn } from './found-links.ts';
import { mayLoadParts, ROUTE_PARTS } from './part-task.ts';
import { undecodedText } from './undecoded-text.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** Characters of a script that is read. An application and its libraries in one file are often 1 to 3 MB; 4 MB take one to two seconds. */
export const SCRIPT_LENGTH = 4_194_304;
/** The same of all scripts of a visit: the texts of other pages wait for the same threads. Arbitrary, three of the longest. */
export const SCRIPTS_LENGTH = 12_582_912;

/** Answers of each class read in a visit, and characters of each that is read. */
const MOST: Readonly<Record<BodyClass, { readonly count: number; readonly length: number }>> = {
  // lists of goods have some hundred kilobytes
  json: { count: 20, length: 1_048_576 },
  script: { count: 50, length: SCRIPT_LENGTH },
  sheet: { count: 50, length: 4_194_304 },
  // only to distinguish pages from fragments: an endless list asks for a fragment at every turn
  html: { count: 4, length: 2_097_152 },
  // the page's own document
  document: { count: 1, length: 2_097_152 },
};

/** The classes of which the record tells that there were too many; the others are one document, and samples. */
const WORDS: Partial<Readonly<Record<BodyClass, string>>> = { json: 'JSON', script: 'scripts', sheet: 'sheets' };

export class AnswerBodies {
  readonly #session: DevToolsSession;
  readonly #known: KnownSubresources;
  readonly #offload: Offload;
  /** First URLs of requests that were answered with a redirect. */
  readonly #asked = new Map<string, string>();
  /** Ids of the answers that were read or passed over. */
  readonly #done = new Set<string>();
  readonly #counts: Record<BodyClass, number> = { json: 0, script: 0, sheet: 0, html: 0, document: 0 };
  /** Characters of the scripts that were read. */
  #scriptsLength = 0;
  readonly #links: FoundLink[] = [];
  readonly #unread = new UnreadAnswers();
  readonly #jsonAnswers: PageAnswer[] = [];
  /** References in the page's own document, as it was received. */
  #references: readonly SourceReference[] = [];

  /** @param known scripts and sheets that were read already, on any page */
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
    this.#unread.clear();
    this.#jsonAnswers.length = 0;
    this.#references = [];
    this.#scriptsLength = 0;
    for (const name of CLASSES) this.#counts[name] = 0;
  }

  /** Links found so far in this visit. */
  get links(): readonly FoundLink[] {
    return this.#links;
  }

  /** References in the bytes of the page's own document, as they are written. */
  get references(): readonly SourceReference[] {
    return this.#references;
  }

  /** JSON answers to GET requests of the page's own scripts. */
  get jsonAnswers(): readonly PageAnswer[] {
    return this.#jsonAnswers;
  }

  /** Answers of this visit that could not be read to their end, or were too long to be read, and why. */
  get unread(): readonly string[] {
    return this.#unread.notes;
  }

  /** The links of all sheets that were loaded so far, each as of the frame that loaded it. */
  sheetLinks(requests: readonly WatchedRequest[], { where, frameId, frames }: SheetPlace): readonly FoundLink[] {
    const found: FoundLink[] = [];
    const seen = new Set<string>();
    for (const request of requests) {
      if (request.type !== 'stylesheet' || request.frameId === null || !isGood(request)) continue;
      const frame = request.frameId === frameId ? null : (frames.get(request.frameId) ?? null);
      const key = `${frame ?? ''}\n${request.url}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const link of this.#known.sheet(this.#firstOf(request)) ?? []) {
        if (found.length >= ANSWER_LINK_LIMIT) return found;
        found.push(frame === null && where.stage === 'load' ? link : { ...link, frame, stage: where.stage });
      }
    }
    return found;
  }

  /** Takes the answers that were not read yet. Asks nothing of the browser. */
  waiting(
    requests: readonly WatchedRequest[],
    { isOfSite, frameId }: { readonly isOfSite: (url: string) => boolean; readonly frameId: string },
  ): readonly (readonly [WatchedRequest, BodyClass])[] {
    const waiting: (readonly [WatchedRequest, BodyClass])[] = [];
    for (const request of requests) {
      if (!request.ended || this.#done.has(request.id)) continue;
      if (isRedirect(request)) {
        if (!this.#asked.has(request.id)) this.#asked.set(request.id, request.url);
        continue; // the same request goes on
      }
      this.#done.add(request.id);
      const name = bodyClassOf(request, frameId);
      if (name === null) continue;
      if (this.#counts[name] >= MOST[name].count) {
        this.#noteLeft(request, name);
        continue;
      }
      if (name === 'html' && !isOfSite(request.url)) continue;
      if (name === 'sheet' && this.#known.sheet(this.#firstOf(request)) !== null) continue;
      if (name === 'script' && !this.#isFresh(request)) continue;
      this.#counts[name] += 1;
      waiting.push([request, name]);
    }
    return waiting;
  }

  /** Fetches these answers, and hands each over as it comes, with null for one that is not available. */
  async fetch(
    waiting: ReturnType<AnswerBodies['waiting']>,
    hand: (request: WatchedRequest, name: BodyClass, text: string | null) => void,
  ): Promise<void> {
    await Promise.all(
      waiting.map(async ([request, name]) => {
        hand(request, name, await this.#textOf(request.id, name));
      }),
    );
  }

  /** Notes an answer that did not come from the browser in time. */
  noteLate({ url }: WatchedRequest): void {
    this.#unread.add('links of an answer (the browser was too slow)', url);
  }

  /**
   * Reads the fetched answers.
   * @param place the base and the links of the page, for references of scripts and data, and the stage in which they are found
   */
  async read(
    fetched: readonly (readonly [WatchedRequest, BodyClass, string])[],
    requests: readonly WatchedRequest[],
    place: Pick<FoundIn, 'base' | 'stage'> & Pick<ReadAnswer, 'isBaseSaid' | 'linked' | 'pageUrl'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { stage, ...from } = place;
    await this.#learnParts(fetched, signal);
    const requested = requests.filter(({ type }) => type === 'fetch' || type === 'xhr').map(({ url }) => url);
    await Promise.all(
      fetched.map(async ([request, name, text]) => {
        if (name === 'sheet') {
          await this.#learn(request, text, signal);
          return;
        }
        if (text.length > MOST[name].length) {
          if (name === 'json' || name === 'script') this.#tellTooLong(ANSWER_LINKS, name, request.url);
          return;
        }
        if (name === 'document') {
          const page = { text, url: request.url };
          this.#references = await this.#foundBy(DOCUMENT_REFERENCES, page, signal);
          return;
        }
        if (name === 'json' && request.method === 'GET') this.#jsonAnswers.push({ url: this.#firstOf(request), text });
        if (name === 'script' && !this.#takesScript(request, text)) return;
        const isLater = request.initiator === 'script';
        const begins = name === 'script' ? this.#known.routeParts.beginsIn(request.url) : [];
        const answer: ReadAnswer = { text, name, url: request.url, requested, isLater, begins, ...from };
        if (name === 'script') this.#known.learnMentionedNames(await this.#foundBy(MENTIONED_NAMES, answer, signal));
        const links = await this.#foundBy(ANSWER_LINKS, answer, signal);
        const room = Math.max(0, ANSWER_LINK_LIMIT - this.#links.length);
        if (links.length > room) this.#unread.addFirst(`links beyond ${grouped(ANSWER_LINK_LIMIT)}`, request.url);
        this.#links.push(...links.slice(0, room).map((link) => ({ ...link, stage })));
      }),
    );
  }

  /** Learns which parts the scripts load, before any of them is read: one may be a part of another. */
  async #learnParts(fetched: Parameters<AnswerBodies['read']>[0], signal: AbortSignal): Promise<void> {
    const scripts = fetched.filter(([, name, text]) => name === 'script' && text.length <= MOST.script.length);
    for (const [{ url, initiator }, , text] of scripts) {
      if (!mayLoadParts(text)) continue;
      // oxlint-disable-next-line no-await-in-loop -- few scripts load parts of routes
      const parts = await this.#foundBy(ROUTE_PARTS, { text, url }, signal);
      this.#known.routeParts.learn(url, parts, initiator === 'script');
    }
  }

  /** Is there room for the script, and was its text not read before? */
  #takesScript({ url }: WatchedRequest, text: string): boolean {
    const hasRoom = this.#scriptsLength + text.length <= SCRIPTS_LENGTH;
    if (!hasRoom) this.#unread.addFirst(`scripts beyond ${grouped(SCRIPTS_LENGTH)} characters`, url);
    if (!hasRoom || !this.#known.learnScriptText(text)) return false;
    this.#scriptsLength += text.length;
    return true;
  }

  /** Remembers the links of a sheet; one that is too long has none, so that it is not read for every page. */
  async #learn(request: WatchedRequest, text: string, signal: AbortSignal): Promise<void> {
    const first = this.#firstOf(request);
    const sheet = { text, url: request.url };
    const isTooLong = text.length > MOST.sheet.length;
    if (isTooLong) this.#tellTooLong(SHEET_LINKS, 'sheet', request.url);
    this.#known.learnSheet(first, isTooLong ? [] : await this.#foundBy(SHEET_LINKS, sheet, signal));
  }

  /** Notes an answer for which there is no place, if its links are not known. */
  #noteLeft(request: WatchedRequest, name: BodyClass): void {
    const first = this.#firstOf(request);
    const isKnown =
      name === 'sheet' ? this.#known.sheet(first) !== null : name === 'script' && this.#known.hasScript(first);
    const words = WORDS[name];
    if (words !== undefined && !isKnown) this.#unread.addFirst(`${words} beyond ${MOST[name].count}`, request.url);
  }

  #tellTooLong(task: Pick<Task<never, unknown>, 'name'>, name: BodyClass, url: string): void {
    const limit = grouped(MOST[name].length);
    this.#unread.add(`${task.name} (longer than ${limit} characters)`, url);
  }

  /** The findings of a task; empty where it gave up. */
  async #foundBy<Input extends { readonly text: string; readonly url: string }, Found>(
    task: Task<Input, readonly Found[]>,
    input: Input,
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const read = await this.#offload.run(task, input, { url: input.url, size: input.text.length }, signal);
    if (read.kind === 'done') return read.value;
    this.#unread.add(gaveUpWords(task, read), input.url);
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

  async #textOf(requestId: string, name: BodyClass): Promise<string | null> {
    try {
      const { body, base64Encoded } = await this.#session.send('Network.getResponseBody', { requestId });
      return base64Encoded ? undecodedText(Buffer.from(body, 'base64'), name === 'document') : body;
    } catch {
      return null; // not kept, or of a worker
    }
  }
}

/** The place where the sheets of a visit were loaded. */
interface SheetPlace {
  readonly where: Pick<FoundIn, 'stage'>;
  /** Id of the main frame. */
  readonly frameId: string;
  /** URLs of the frames below it, by their ids. */
  readonly frames: ReadonlyMap<string, string>;
}
