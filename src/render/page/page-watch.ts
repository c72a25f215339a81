/**
 * Observes one page during a visit, by the events of its session: requests, errors, dialogs, windows,
 * frames, workers. Cleared at the start of every visit; every list is bounded, counts are whole.
 */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { PageProblems } from '../../model/page.ts';
import { DIALOG_LIMIT, NAVIGATION_LIMIT, NETWORK_BUFFERS, SOCKETS_UNTIL, URL_LENGTH } from '../page-limits.ts';
import { PageMessages } from './page-messages.ts';
import { refuseSockets } from './refuse-sockets.ts';
import { RequestLog, type BodyArrives } from './request-log.ts';
import type { RequestNews } from './request-news.ts';
import type { WatchedRequest } from './watched-request.ts';

/** The document of a page between visits; its events belong to no visit. */
const BLANK = 'about:blank';

interface PageWatchParts {
  readonly clock: Clock;
  readonly bodyArrives: BodyArrives;
}

interface PageFloods {
  /** Dialogs without end: the page is of no use any more. */
  readonly dialogs: () => void;
  /** Messages or exceptions without end: the page does nothing else. */
  readonly messages: () => void;
  /** So many requests that later ones are to be counted; called again for each beyond the limit. */
  readonly requests: () => void;
}

export class PageWatch {
  readonly #session: DevToolsSession;
  readonly #floods: PageFloods;
  readonly #log: RequestLog;
  /** When the browser last said anything of its requests. */
  readonly news: RequestNews;
  /** Is the body of an answer still on its way from its server? Null where that is not known. */
  readonly bodyArrives: BodyArrives;
  readonly #windows: string[] = [];
  readonly #frames: string[] = [];
  /** Ids of the frames below the main one. */
  readonly #children = new Set<string>();
  /** Has the visit's document taken the place of the one before? That one's load event may still come. */
  #arrived = false;
  #loadAt: Milliseconds | null = null;
  #workers = 0;
  #ration: 'kept' | 'refused' | 'overrun' = 'kept';
  #dialogs = 0;
  readonly #messages: PageMessages;
  /** Sessions whose pages and workers may open no more sockets. */
  readonly #socketless = new Set<DevToolsSession>();
  #agrees = false;

  constructor(session: DevToolsSession, mainFrameId: string, parts: PageWatchParts, floods: PageFloods) {
    const { clock, bodyArrives } = parts;
    this.#session = session;
    this.#floods = floods;
    this.bodyArrives = bodyArrives;
    this.#log = new RequestLog(clock, bodyArrives);
    this.news = this.#log.news;
    this.#watchRequests(session);
    this.#watchFrames(mainFrameId);
    this.#messages = new PageMessages(session, floods.messages);
    session.on('Page.loadEventFired', () => {
      if (this.#arrived) this.#loadAt = clock.monotonic();
    });
    session.on('Page.windowOpen', ({ url }) => keep(this.#windows, url));
    session.on('Page.javascriptDialogOpening', (dialog) => this.#dismiss(dialog));
  }

  /** Switches on the events. */
  async open(): Promise<void> {
    await Promise.all([this.#session.send('Network.enable', NETWORK_BUFFERS), this.#session.send('Runtime.enable')]);
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#ration = 'kept';
    this.#log.clear();
    this.#windows.length = 0;
    this.#frames.length = 0;
    this.#arrived = false;
    this.#loadAt = null;
    this.#dialogs = 0;
    this.#messages.clear();
    this.#agrees = false;
    for (const session of this.#socketless) refuseSockets(session, false).catch(() => {}); // it may be gone
    this.#socketless.clear();
  }

  /** Requests of this visit in order, the first 500 of them. */
  get requests(): readonly WatchedRequest[] {
    return this.#log.all;
  }

  /** Number of requests that were begun, those beyond the limit included. */
  readonly begun = (): number => this.#log.begun;

  /** Notes a request that was held back: the page need not be waited for because of it. */
  readonly refused = (requestId: string): void => {
    if (this.#ration === 'kept') this.#ration = 'refused';
    this.#log.refused(requestId);
  };

  /** Notes that requests could not be counted in time. */
  readonly overrun = (): void => {
    this.#ration = 'overrun';
  };

  /** Do workers go on with requests that could not be counted? They end with the page alone: its loading can be stopped, theirs cannot. */
  get floods(): boolean {
    return this.#ration === 'overrun' && this.#workers > 0;
  }

  /** Did the page ask for more than its ration while it has workers? These outlive the next navigation, with which the ration ends. */
  get outlivesRation(): boolean {
    return this.#ration !== 'kept' && this.#workers > 0;
  }

  /** Workers that run now. */
  get workers(): number {
    return this.#workers;
  }

  /** Frames of the page, the main one included. */
  get frameCount(): number {
    return 1 + this.#children.size;
  }

  /** Watches the requests of a worker, too, where there is a session for it. */
  workerStarted(url: string, session: DevToolsSession | null): void {
    this.#workers += 1;
    this.#log.workerStarted(url);
    if (session !== null) this.#watchBeside(session);
  }

  workerEnded(): void {
    this.#workers -= 1;
  }

  /** Watches the requests of a frame of another process, too. */
  frameStarted(session: DevToolsSession): void {
    this.#watchBeside(session);
  }

  /**
   * Notes an action of ours on the page: later requests are effects of it, and no polls, however often the page has made such requests
   * before (a list that grows as it is scrolled). Requests under way keep their class. Later dialogs answer that action.
   */
  onActivity(): void {
    this.#dialogs = 0;
    this.#log.onActivity();
  }

  /** Does it hold a socket, over which it could say anything? */
  get socketsOpen(): boolean {
    return this.#log.sockets > 0;
  }

  /** Messages of its streams and sockets so far. */
  get messages(): number {
    return this.#log.messages;
  }

  /** Answers questions ("Are you sure?") with yes from now on, or not any more. */
  agrees(yes: boolean): void {
    this.#agrees = yes;
  }

  /**
   * Forbids the page's frames to open further sockets, or allows it again.
   * @throws where the browser knows no such rules
   */
  async refuseSockets(refused: boolean): Promise<void> {
    await refuseSockets(this.#session, refused);
  }

  /** URLs that were to be loaded into frames, by links with a target for instance. */
  get frames(): readonly string[] {
    return this.#frames;
  }

  /** When the load event came, on the monotonic clock; null before. */
  get loadAt(): Milliseconds | null {
    return this.#loadAt;
  }

  /** URLs of windows that the page wanted to open. */
  get windows(): readonly string[] {
    return this.#windows;
  }

  /** Did the document load scripts of its own? */
  get loadsScripts(): boolean {
    return this.#log.scripts > 0;
  }

  get problems(): PageProblems {
    const { console, exceptions } = this.#messages;
    return { console, exceptions, failedRequests: this.#log.failed };
  }

  /** Requests that the page may be waiting for: no polls; streams and sockets only until they open. */
  waitedFor(): readonly WatchedRequest[] {
    return this.#log.waitedFor();
  }

  /** Is the document itself still arriving? */
  documentPending(): boolean {
    return this.#log.documentPending();
  }

  /** Did the connection end before the document did? */
  get documentFailed(): boolean {
    return this.#log.documentFailed;
  }

  /** Is anything under way, streams and sockets too? */
  get holdsConnections(): boolean {
    return this.#log.holdsConnections;
  }

  /** Is so much under way that the next visit might find no connection left? */
  get crowds(): boolean {
    return this.#log.crowds;
  }

  /** Requests under way, as the record names them. */
  pending(): readonly string[] {
    return this.#log.names();
  }

  #watchBeside(session: DevToolsSession): void {
    this.#watchRequests(session);
    session.send('Network.enable', NETWORK_BUFFERS).catch(() => {}); // it has gone by itself
  }

  #watchRequests(session: DevToolsSession): void {
    const log = this.#log;
    session.on('Network.requestWillBeSent', (event) => {
      log.begin(event);
      if (log.floods) this.#floods.requests();
    });
    session.on('Network.responseReceived', (event) => log.answered(event));
    session.on('Network.dataReceived', ({ requestId }) => log.taken(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => log.finished(requestId));
    session.on('Network.loadingFailed', (event) => log.failedWith(event));
    session.on('Network.webSocketCreated', (event) => {
      log.socketOpened(event);
      if (log.begun >= SOCKETS_UNTIL) this.#refuseSockets(session);
    });
    session.on('Network.webSocketHandshakeResponseReceived', (event) => log.socketAnswered(event));
    session.on('Network.eventSourceMessageReceived', () => log.streamSaid());
    session.on('Network.webSocketFrameReceived', () => log.socketSaid());
    session.on('Network.webSocketClosed', ({ requestId }) => log.socketClosed(requestId));
  }

  /** Blocks WebSockets: the document interceptor, which counts requests, does not see them. */
  #refuseSockets(session: DevToolsSession): void {
    if (this.#socketless.has(session)) return;
    this.#socketless.add(session);
    refuseSockets(session, true).catch(() => {}); // it has gone by itself
  }

  #watchFrames(mainFrameId: string): void {
    const session = this.#session;
    session.on('Page.frameAttached', ({ frameId }) => {
      this.#children.add(frameId);
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#children.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return;
      this.#children.clear();
      this.#arrived = frame.url !== BLANK;
      this.#loadAt = null;
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, reason, url }) => {
      if (frameId !== mainFrameId && reason !== 'initialFrameNavigation') keep(this.#frames, url);
    });
  }

  #dismiss({ type }: EventOf<'Page.javascriptDialogOpening'>): void {
    this.#dialogs += 1;
    if (this.#dialogs > DIALOG_LIMIT) this.#floods.dialogs();
    // a dismissed beforeunload would make every later navigation of the page fail (design/rendering, "Hostile scripts")
    const accept = type === 'beforeunload' || (type === 'confirm' && this.#agrees);
    this.#session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {}); // the page may be gone
  }
}

function keep(urls: string[], url: string): void {
  const kept = cutText(url, URL_LENGTH);
  if (urls.length < NAVIGATION_LIMIT && !urls.includes(kept)) urls.push(kept);
}
