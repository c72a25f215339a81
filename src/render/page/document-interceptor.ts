/**
 * Intercepts the document navigations of a page. States: `closed` (no visit; nothing of the main frame may load), `expecting` (the
 * visit's own navigation), `arrived` (its answer is being rendered), `free` (somebody signs in). Invariant: every answer is judged
 * before it reaches the main frame, and at most one reaches it in a visit, except those of {@link AllowedReloads}.
 */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import { bytes, type Bytes } from '../../base/units.ts';
import type { FetchedDocument } from '../../core/answers/fetched-document.ts';
import { answerHead, judgeAnswer } from '../../core/answers/judge-answer.ts';
import { hasNotice, NOTICE_LIMIT, NOTICE_TIME } from '../../core/answers/notice.ts';
import { partToRead } from '../../core/links/catalogue.ts';
import type { UserHeaders } from '../../model/user-headers.ts';
import { announcedLength, readPausedBody } from '../extract/read-body.ts';
import { FILE_TIME } from '../limits/reading-limits.ts';
import { FRAME_LIMIT, NAVIGATION_LIMIT, URL_LENGTH } from '../page-limits.ts';
import { isAnswer, type AnswerOrder } from './answer-order.ts';
import type { AllowedReloads } from './allowed-reloads.ts';
import { CriticalHints } from './critical-hints.ts';
import { FrameHeaders } from './frame-headers.ts';
import { fulfilRequest } from './fulfil-request.ts';
import { SCRIPTED, type HeldRequest } from './held-request.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { refusePasswords } from './refuse-passwords.ts';
import { RequestRation, type RequestCount } from './request-ration.ts';

type Paused = EventOf<'Fetch.requestPaused'>;

/** Class of requests that a user has switched off, by its name in the protocol. */
export type BlockedType = 'Image' | 'Font' | 'Media' | 'Stylesheet';

interface InterceptionRules {
  readonly extra: UserHeaders;
  readonly block: readonly BlockedType[];
  /** Would the browser ask a person for a password, and wait? A headless shell takes the answer 401 as it is. */
  readonly hasDialogs: boolean;
  /** Order of the answers; null: as they come. */
  readonly order: AnswerOrder | null;
}

export class DocumentInterceptor {
  readonly #session: DevToolsSession;
  readonly #frameId: string;
  readonly #headers: FrameHeaders;
  readonly #rules: InterceptionRules;
  readonly #clock: Clock;
  readonly #hints = new CriticalHints();
  readonly #stopped: string[] = [];
  #state: 'closed' | 'expecting' | 'arrived' | 'free' = 'closed';
  #documents = 0;
  #ration: RequestRation | null = null;
  /** Changes of the rules under way that end a ration: until then the browser reports requests of the document before. */
  #rationsEnding = 0;
  #answer: JudgedAnswer | null = null;
  #reading: AbortController | null = null;
  #giveUp: () => void = () => {};
  #givenUp: Promise<void> = Promise.resolve();
  /** Amount that is read of an answer of this media type that is no page; null where it is not worth reading. */
  partToRead: (type: string, url: string) => Bytes | null = (contentType, url) => partToRead({ contentType, url });
  /** Amount of an answer that is loaded for the archive though it is not rendered; null: the part that is read. */
  wholeBodies: Bytes | null = null;
  #postOnly = false;
  #mayLeave: ((request: HeldRequest) => boolean) | null = null;
  #asksOfAll = false;
  #holdsToTheEnd = false;
  #document: FetchedDocument | null = null;
  /** Address of the document that was expected. */
  #own = '';
  /** Lets reloads of the shown document through; null: none may be made. */
  reloads: AllowedReloads | null = null;

  constructor(session: DevToolsSession, frameId: string, rules: InterceptionRules, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
    this.#frameId = frameId;
    this.#headers = new FrameHeaders(session, frameId, rules.extra);
    this.#rules = rules;
    session.on('Fetch.requestPaused', (event) => this.#paused(event));
    if (rules.hasDialogs) refusePasswords(session);
  }

  async open(): Promise<void> {
    const documents = { urlPattern: '*', resourceType: 'Document' as const };
    const all = this.#ration !== null || this.#headers.areGiven || this.#asksOfAll;
    const scripted = this.#mayLeave === null ? [] : SCRIPTED.map((resourceType) => ({ urlPattern: '*', resourceType }));
    const blocked = this.#rules.block.map((resourceType) => ({ urlPattern: '*', resourceType }));
    const asked = all ? [{ urlPattern: '*' }] : [...blocked, ...scripted];
    const others = [...asked, ...(this.#rules.order?.patterns ?? [])];
    await this.#session.send('Fetch.enable', {
      handleAuthRequests: this.#rules.hasDialogs,
      patterns: [documents, { ...documents, requestStage: 'Response' }, ...others],
    });
  }

  /**
   * Counts every request of the visit from now on, and lets none beyond the limit of page-limits.ts leave. Only for pages that ask for very
   * many, or whose workers could: stopping and releasing every request costs a fifth of a page that makes seventy.
   */
  ration(count: RequestCount): void {
    if (this.#ration !== null) return this.#ration.recount();
    this.#ration = new RequestRation(this.#session, count);
    this.open().catch(() => {}); // the page is gone
  }

  /**
   * Asks for every request of scripts whether it may leave the browser; null: not any more. For the time in which a page is
   * used as a person would use it.
   * @param what `all`: for pictures, scripts and everything else that a page loads, too
   */
  async hold(
    mayLeave: ((request: HeldRequest) => boolean) | null,
    what: 'scripted' | 'all' = 'scripted',
  ): Promise<void> {
    this.#mayLeave = mayLeave;
    this.#asksOfAll = mayLeave !== null && what === 'all';
    this.#holdsToTheEnd = false;
    await this.open();
  }

  /** Keeps held requests until the next navigation is let through: a document may still send some while it unloads. */
  holdToTheEnd(): void {
    this.#holdsToTheEnd = this.#mayLeave !== null;
  }

  /**
   * Lets the next navigation of the main frame through, up to its answer.
   * @param document answers it in the server's place: the network is not used then
   */
  expect(document: FetchedDocument | null = null): void {
    this.reloads = null;
    this.#document = document;
    if (this.#ration !== null || this.#holdsToTheEnd) this.#endRules();
    this.#state = 'expecting';
    this.#postOnly = false;
    this.#givenUp = new Promise((resolve) => (this.#giveUp = resolve));
    this.#answer = null;
    this.#documents = 0;
    this.#stopped.length = 0;
    this.#headers.clear();
  }

  /** Ends the rules of the visit before. */
  #endRules(): void {
    const rationEnds = this.#ration === null ? 0 : 1;
    this.#ration = null;
    if (this.#holdsToTheEnd) this.#mayLeave = null;
    this.#asksOfAll &&= !this.#holdsToTheEnd;
    this.#holdsToTheEnd = false;
    this.#rationsEnding += rationEnds;
    const changed = (): void => void (this.#rationsEnding -= rationEnds);
    this.open().then(changed, changed); // where the page is gone, the navigation says so
  }

  /** Resolves where the expected navigation will not end by itself, because its answer was not read to its end. */
  get givenUp(): Promise<void> {
    return this.#givenUp;
  }

  /** Lets the next navigation through as {@link expect} does, but only a form that is sent by POST. */
  expectPost(): void {
    this.expect();
    this.#postOnly = true;
  }

  /** Lets every navigation through from now on: the page is in the hands of somebody who signs in with it. */
  letAllThrough(): void {
    this.#state = 'free';
  }

  close(): void {
    this.#reading?.abort();
    this.#state = 'closed';
  }

  /** The answer to the expected navigation; null before it is there, and where there is none. */
  get answer(): JudgedAnswer | null {
    return this.#answer;
  }

  /** URLs of further navigations of the main frame, which were stopped. */
  get stopped(): readonly string[] {
    return this.#stopped;
  }

  #paused(event: Paused): void {
    if (this.#rules.order?.holds(event, () => this.#pass(event)) === true) return;
    if (this.#mayLeave !== null && this.#isHeld(event)) return this.#fail(event);
    if (event.resourceType !== 'Document') return this.#pausedPart(event);
    if (event.frameId !== this.#frameId) {
      this.#documents += 1;
      const passes = isAnswer(event) || this.#ration?.allows(event.networkId) !== false;
      return this.#documents > FRAME_LIMIT * 4 || !passes ? this.#fail(event) : this.#pass(event);
    }
    if (this.#state === 'arrived' && this.reloads?.admits(event, this.#own) === true)
      return this.#reload(event, this.reloads);
    if (this.#state === 'free') return this.#passFreely(event);
    if (this.#state === 'arrived' && this.#hints.asksAgain(event)) this.#state = 'expecting';
    if (this.#state !== 'expecting' || (this.#postOnly && event.request.method !== 'POST')) {
      const { method, url } = event.request;
      // a form sent by POST leads to no address, and the script that recorded it has noted it; a reload is no link
      const leads = method === 'GET' && url !== this.#own;
      if (leads && this.#stopped.length < NAVIGATION_LIMIT) this.#stopped.push(cutText(url, URL_LENGTH));
      return this.#fail(event);
    }
    this.#own = event.request.url;
    if (this.#document !== null) return this.#fulfil(event, this.#document);
    if (event.responseStatusCode === undefined) return this.#pass(event); // on its way, or failed: the navigation says why
    const head = answerHead(event.responseStatusCode, event.responseHeaders ?? []);
    const verdict = judgeAnswer(head);
    this.#state = verdict.kind === 'render' ? 'arrived' : 'closed';
    this.#answer = { head, verdict, at: this.#clock.monotonic() };
    this.#hints.answered(head, event);
    const part = verdict.kind === 'not-html' ? this.partToRead(head.contentType, this.#own) : null;
    if (verdict.kind === 'render') this.#pass(event);
    else if (part !== null) this.#readFile(event, part);
    else if (verdict.kind === 'http-error' && hasNotice(head, verdict)) this.#readFile(event, NOTICE_LIMIT);
    else if (this.wholeBodies !== null && verdict.kind !== 'redirected') this.#readFile(event, bytes(0));
    else this.#fail(event);
  }

  /** Lets a reload pass only if its answer is a page. */
  #reload(event: Paused, reloads: AllowedReloads): void {
    const { responseStatusCode: status, responseErrorReason: failure, responseHeaders = [] } = event;
    if (status === undefined && failure === undefined) return this.#pass(event);
    const head = status === undefined ? null : answerHead(status, responseHeaders);
    const verdict = head === null ? null : judgeAnswer(head);
    if (head === null || verdict?.kind !== 'render') {
      reloads.ended();
      return this.#fail(event);
    }
    this.#answer = { head, verdict, at: this.#clock.monotonic() };
    this.#pass(event);
  }

  /** The headers of each document are those of its own origin. */
  #passFreely(event: Paused): void {
    if (event.responseStatusCode === undefined && event.request.url !== this.#own) {
      this.#own = event.request.url;
      this.#headers.clear();
    }
    this.#pass(event);
  }

  #pausedPart(event: Paused): void {
    if (this.#rules.block.some((type) => type === event.resourceType)) return this.#fail(event, 'BlockedByClient');
    // requests beyond the ration are neither continued nor failed: twenty thousand failures keep a page busy for longer than it may live
    if (isAnswer(event)) return this.#pass(event);
    // the navigation is asked for after the rules: such a request is of a document that is about to go
    if (this.#rationsEnding > 0) return;
    if (this.#ration === null || this.#ration.allows(event.networkId)) this.#pass(event);
  }

  /**
   * Reads a file from the paused answer; the navigation ends when that is done.
   * @param limit size of the part that is kept
   */
  #readFile(event: Paused, limit: Bytes): void {
    const answer = this.#answer;
    const ended = new AbortController();
    this.#reading?.abort();
    this.#reading = ended;
    const announced = announcedLength(answer?.head);
    const isNotice = answer?.verdict.kind === 'http-error';
    const time = isNotice ? NOTICE_TIME : FILE_TIME;
    const wanted = { requestId: event.requestId, limit, whole: this.wholeBodies, announced, time };
    void readPausedBody(this.#session, wanted, ended.signal).then((body) => {
      // the browser cannot fail a request while more of its body is on the way
      if (body !== null && body.truncated !== null && body.truncated !== 'disconnect') this.#giveUp();
      // the visit may have been given up meanwhile
      if (limit > 0 && answer !== null && answer === this.#answer && body !== null) this.#answer = { ...answer, body };
      this.#fail(event);
    });
  }

  #fulfil({ requestId }: Paused, { head, body, answered }: FetchedDocument): void {
    this.#document = null;
    this.#state = 'arrived';
    this.#answer = { head, verdict: { kind: 'render' }, at: answered };
    fulfilRequest(this.#session, requestId, { head, body });
  }

  #pass(event: Paused): void {
    const { requestId } = event;
    const headers = isAnswer(event) ? null : this.#headers.changed(event, this.#own);
    const changed = headers === null ? {} : { headers: [...headers] };
    // a request that is gone needs no answer
    this.#session.send('Fetch.continueRequest', { requestId, ...changed }).catch(() => {});
  }

  #isHeld({ request, resourceType, frameId, responseStatusCode }: Paused): boolean {
    if (responseStatusCode !== undefined || (resourceType === 'Document' && frameId === this.#frameId)) return false;
    const { method, url, postData = null } = request;
    return this.#mayLeave?.({ method, url, body: postData, resourceType }) === false;
  }

  #fail({ requestId }: Paused, errorReason: 'Aborted' | 'BlockedByClient' = 'Aborted'): void {
    this.#session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => {});
  }
}
