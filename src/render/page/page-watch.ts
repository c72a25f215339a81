/**
 * Observes one page during a visit, by the events of its session: requests, errors, dialogs, windows,
 * frames, workers. Cleared at the start of every visit; every list is bounded, counts are whole.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { PageProblems } from '../../model/page.ts';
import { NETWORK_BUFFERS, REQUEST_LIMIT, SOCKETS_UNTIL } from '../page-limits.ts';
import { OfflineRules } from './offline-rules.ts';
import { PageDialogs } from './page-dialogs.ts';
import { FrameWatch } from './frame-watch.ts';
import { PageMessages } from './page-messages.ts';
import { RequestLog, type BodyArrives } from './request-log.ts';
import type { RequestNews } from './request-news.ts';
import type { WatchedRequest } from './watched-request.ts';

interface PageWatchParts {
  readonly clock: Clock;
  readonly bodyArrives: BodyArrives;
}

interface PageFloods {
  /** Dialogs without end: the page is of no use any more. */
  readonly dialogs: () => void;
  /** Messages or exceptions without end: the page does nothing else. */
  readonly messages: () => void;
  /** So many requests that later ones are to be counted; called again for each of these. */
  readonly requests: () => void;
  /** Requests that nothing stops. */
  readonly endlessRequests: () => void;
}

export class PageWatch {
  readonly #session: DevToolsSession;
  readonly #floods: PageFloods;
  readonly #log: RequestLog;
  /** When the browser last said anything of its requests. */
  readonly news: RequestNews;
  /** Is the body of an answer still on its way from its server? Null where that is not known. */
  readonly bodyArrives: BodyArrives;
  readonly #frames: FrameWatch;
  #workers = 0;
  #ration: 'kept' | 'refused' | 'overrun' = 'kept';
  readonly #dialogs: PageDialogs;
  readonly #messages: PageMessages;
  readonly #offline = new OfflineRules();
  /** Sessions of frames and workers of this visit that are in processes of their own. */
  readonly #beside = new Set<DevToolsSession>();

  constructor(session: DevToolsSession, mainFrameId: string, parts: PageWatchParts, floods: PageFloods) {
    const { clock, bodyArrives } = parts;
    this.#session = session;
    this.#floods = floods;
    this.bodyArrives = bodyArrives;
    this.#log = new RequestLog(clock, bodyArrives);
    this.news = this.#log.news;
    this.#watchRequests(session);
    this.#frames = new FrameWatch(session, mainFrameId, clock);
    this.#dialogs = new PageDialogs(session, floods.dialogs);
    this.#messages = new PageMessages(session, floods.messages);
  }

  /** Switches on the events. */
  async open(): Promise<void> {
    await Promise.all([this.#session.send('Network.enable', NETWORK_BUFFERS), this.#session.send('Runtime.enable')]);
  }

  /** Forgets the visit before. @param sentBefore requests that an earlier try of this visit has sent */
  clear(sentBefore = 0): void {
    this.#ration = 'kept';
    this.#log.clear(sentBefore);
    this.#frames.clear();
    this.#dialogs.clear();
    this.#messages.clear();
    this.#offline.clear();
    this.#beside.clear();
  }

  /** Requests of this visit in order, the first 500 of them. */
  get requests(): readonly WatchedRequest[] {
    return this.#log.all;
  }

  /** Number of requests that were begun, those beyond the limit included. */
  readonly begun = (): number => this.#log.counts.begun;

  /** Number of requests that were sent, as the browser's network says: at once, whatever the page is at. */
  readonly sent = (): number => this.#log.counts.sent;

  /** May it send enough requests yet to be loaded a second time? */
  get canSend(): boolean {
    return this.sent() <= REQUEST_LIMIT / 2;
  }

  /** Notes a request that was held back: the page need not be waited for because of it. */
  readonly refused = (requestId: string): void => {
    if (this.#ration === 'kept') this.#ration = 'refused';
    this.#log.refused(requestId);
  };

  /** Refuses all that the page asks for: its requests could not be counted in time. */
  readonly overrun = (): void => {
    this.#ration = 'overrun';
    for (const session of [this.#session, ...this.#beside]) {
      this.#offline.refuse(session, 'everything');
      // a script that goes on keeps the page from taking its requests out of the queue
      if (this.#log.counts.sent > this.#log.counts.begun) session.send('Runtime.terminateExecution').catch(() => {}); // it is gone
    }
  };

  /** Notes that requests go on all the same. */
  readonly endless = (): void => this.#floods.endlessRequests();

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
    return this.#frames.count;
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
    this.#dialogs.onActivity();
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
    this.#dialogs.agrees(yes);
  }

  /**
   * Forbids the page's frames to open further sockets, or allows it again.
   * @throws where the browser knows no such rules
   */
  async refuseSockets(refused: boolean): Promise<void> {
    await this.#offline.refuseSockets(this.#session, refused);
  }

  /** URLs that were to be loaded into frames, by links with a target for instance. */
  get frames(): readonly string[] {
    return this.#frames.asked;
  }

  /** When the load event came, on the monotonic clock; null before. */
  get loadAt(): Milliseconds | null {
    return this.#frames.loadAt;
  }

  /** URLs of windows that the page wanted to open. */
  get windows(): readonly string[] {
    return this.#frames.windows;
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
    this.#beside.add(session);
    if (this.#ration === 'overrun') this.#offline.refuse(session, 'everything');
    this.#watchRequests(session);
    session.send('Network.enable', NETWORK_BUFFERS).catch(() => {}); // it has gone by itself
  }

  #watchRequests(session: DevToolsSession): void {
    const log = this.#log;
    session.on('Network.requestWillBeSent', (event) => {
      log.begin(event);
      if (log.counts.areMany) this.#floods.requests();
    });
    session.on('Network.requestWillBeSentExtraInfo', () => {
      log.counts.send();
      if (log.counts.areMany) this.#floods.requests();
    });
    session.on('Network.responseReceived', (event) => log.answered(event));
    session.on('Network.dataReceived', ({ requestId }) => log.taken(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => log.finished(requestId));
    session.on('Network.loadingFailed', (event) => log.failedWith(event));
    session.on('Network.webSocketCreated', (event) => {
      log.socketOpened(event);
      // the document interceptor, which counts requests, does not see sockets
      if (log.counts.begun >= SOCKETS_UNTIL) this.#offline.refuse(session, 'sockets');
    });
    session.on('Network.webSocketHandshakeResponseReceived', (event) => log.socketAnswered(event));
    session.on('Network.eventSourceMessageReceived', () => log.streamSaid());
    session.on('Network.webSocketFrameReceived', () => log.socketSaid());
    session.on('Network.webSocketClosed', ({ requestId }) => log.socketClosed(requestId));
  }
}
