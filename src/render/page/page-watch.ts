/**
 * What one page does while it is visited, as the events of its session tell it: requests, errors, dialogs, windows,
 * frames, workers. Cleared at the start of every visit; every list is bounded, counts are whole.
 */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import type { Clock } from '../../base/clock.ts';
import { cutText } from '../../base/cut-text.ts';
import { mebibytes, type Milliseconds } from '../../base/units.ts';
import type { PageProblems } from '../../model/page.ts';
import { LARGE_MESSAGE, MESSAGE_BYTES, SILENCED_EVERY } from '../limits/browser-limits.ts';
import {
  COUNTED_FROM,
  DIALOG_LIMIT,
  MESSAGE_LIMIT,
  NAVIGATION_LIMIT,
  SOCKETS_UNTIL,
  URL_LENGTH,
} from '../page-limits.ts';
import { RequestLog, type WatchedRequest } from './request-log.ts';

/** Bodies are kept by the browser for whoever asks for them, those of scripts and data; of what is sent, nothing. */
const BUFFERS = {
  maxTotalBufferSize: mebibytes(8),
  maxResourceBufferSize: mebibytes(1),
  maxPostDataSize: 0,
} as const;

interface PageFloods {
  /** Dialogs without end: the page is of no use any more. */
  readonly dialogs: () => void;
  /** Messages or exceptions without end: the page does nothing else. */
  readonly messages: () => void;
  /** So many requests that those to come are to be counted. */
  readonly requests: () => void;
}

export class PageWatch {
  readonly #session: DevToolsSession;
  readonly #floods: PageFloods;
  readonly #log: RequestLog;
  readonly #windows: string[] = [];
  readonly #frames: string[] = [];
  /** Ids of the frames below the main one. */
  readonly #children = new Set<string>();
  #loadAt: Milliseconds | null = null;
  #workers = 0;
  #dialogs = 0;
  #console = 0;
  #exceptions = 0;
  #messages = 0;
  /** Sessions whose pages and workers may open no more. */
  readonly #socketless = new Set<DevToolsSession>();

  constructor(session: DevToolsSession, mainFrameId: string, clock: Clock, floods: PageFloods) {
    this.#session = session;
    this.#floods = floods;
    this.#log = new RequestLog(clock);
    this.#hearRequests(session);
    this.#hearFrames(mainFrameId);
    this.#hearMessages();
    session.on('Page.loadEventFired', () => (this.#loadAt = clock.monotonic()));
    session.on('Page.windowOpen', ({ url }) => keep(this.#windows, url));
    session.on('Page.javascriptDialogOpening', (dialog) => this.#dismiss(dialog));
  }

  /** Switches on what is listened to. */
  async open(): Promise<void> {
    await Promise.all([this.#session.send('Network.enable', BUFFERS), this.#session.send('Runtime.enable')]);
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#log.clear();
    this.#windows.length = 0;
    this.#frames.length = 0;
    this.#loadAt = null;
    this.#dialogs = 0;
    this.#console = 0;
    this.#exceptions = 0;
    if (this.#messages > MESSAGE_LIMIT) this.#session.send('Runtime.enable').catch(() => {}); // the page may be gone
    this.#messages = 0;
    for (const session of this.#socketless) session.send('Network.setBlockedURLs', { urls: [] }).catch(() => {}); // it may be gone
    this.#socketless.clear();
  }

  /** Requests of this visit in order, the first 500 of them. */
  get requests(): readonly WatchedRequest[] {
    return this.#log.all;
  }

  /** How many were begun, those included that are not kept. */
  readonly begun = (): number => this.#log.begun;

  /** One was held back: the page need not be waited for because of it. */
  readonly refused = (requestId: string): void => this.#log.refused(requestId);

  /** Workers that run now. */
  get workers(): number {
    return this.#workers;
  }

  /** Frames of the page, the main one included. */
  get frameCount(): number {
    return 1 + this.#children.size;
  }

  /** Hears what a worker asks for, too, where there is a session for it. */
  workerStarted(url: string, session: DevToolsSession | null): void {
    this.#workers += 1;
    this.#log.workerStarted(url);
    if (session !== null) this.#hearBeside(session);
  }

  workerEnded(): void {
    this.#workers -= 1;
  }

  /** Hears what a frame of another process asks for, too. */
  frameStarted(session: DevToolsSession): void {
    this.#hearBeside(session);
  }

  /**
   * We did something to the page: what it asks for now is an answer to that, and no poll, however often it asked for the
   * like before (a list that grows as it is scrolled). What is under way stays what it was taken for.
   */
  onActivity(): void {
    this.#log.onActivity();
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
    return { console: this.#console, exceptions: this.#exceptions, failedRequests: this.#log.failed };
  }

  /** How long no request has begun, been answered or ended. */
  silence(): Milliseconds {
    return this.#log.silence();
  }

  /** Requests that the page may be waiting for: no polls, and of streams and sockets those that are still to open. */
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

  /** What is under way, as the record names it. */
  pending(): readonly string[] {
    return this.#log.names();
  }

  #hearBeside(session: DevToolsSession): void {
    this.#hearRequests(session);
    session.send('Network.enable', BUFFERS).catch(() => {}); // it has gone by itself
  }

  #hearRequests(session: DevToolsSession): void {
    const log = this.#log;
    session.on('Network.requestWillBeSent', (event) => {
      log.begin(event);
      if (log.begun === COUNTED_FROM) this.#floods.requests();
    });
    session.on('Network.responseReceived', (event) => log.answered(event));
    session.on('Network.loadingFinished', ({ requestId }) => log.finished(requestId));
    session.on('Network.loadingFailed', (event) => log.failedWith(event));
    session.on('Network.webSocketCreated', (event) => {
      log.socketOpened(event);
      if (log.begun >= SOCKETS_UNTIL) this.#refuseSockets(session);
    });
    session.on('Network.webSocketHandshakeResponseReceived', (event) => log.socketAnswered(event));
    session.on('Network.eventSourceMessageReceived', () => log.streamSaid());
    session.on('Network.webSocketClosed', ({ requestId }) => log.socketClosed(requestId));
  }

  /** Sockets pass no gate that could count them. */
  #refuseSockets(session: DevToolsSession): void {
    if (this.#socketless.has(session)) return;
    this.#socketless.add(session);
    session.send('Network.setBlockedURLs', { urls: ['ws://*', 'wss://*'] }).catch(() => {}); // it has gone by itself
  }

  #hearFrames(mainFrameId: string): void {
    const session = this.#session;
    session.on('Page.frameAttached', ({ frameId }) => {
      this.#children.add(frameId);
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#children.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === mainFrameId) this.#children.clear();
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, reason, url }) => {
      if (frameId !== mainFrameId && reason !== 'initialFrameNavigation') keep(this.#frames, url);
    });
  }

  #hearMessages(): void {
    const session = this.#session;
    session.on('Runtime.consoleAPICalled', ({ type }) => {
      if (this.#isHeard() && type === 'error') this.#console += 1;
    });
    session.on('Runtime.exceptionThrown', () => {
      if (this.#isHeard()) this.#exceptions += 1;
    });
  }

  /** Counts a message; false where there were so many, or such long ones, that no more are wanted. */
  #isHeard(): boolean {
    const counted = this.#messages;
    const size = this.#session.eventSize ?? 0;
    const first = size > LARGE_MESSAGE && counted <= MESSAGE_LIMIT ? MESSAGE_LIMIT : 0;
    this.#messages += first + 1 + Math.floor(size / MESSAGE_BYTES);
    const before = Math.max(0, counted - MESSAGE_LIMIT);
    const excess = Math.max(0, this.#messages - MESSAGE_LIMIT);
    const passes = (step: number): boolean => Math.floor(before / step) < Math.floor(excess / step);
    const ask = (method: 'Runtime.disable' | 'Runtime.terminateExecution'): void => {
      this.#session.send(method).catch(() => {}); // the page may be gone
    };
    if (before === 0 && excess > 0) ask('Runtime.disable');
    // a script that never comes to an end does not hear that nobody listens
    else if (passes(SILENCED_EVERY)) ask('Runtime.terminateExecution');
    if (passes(MESSAGE_LIMIT * 2)) this.#floods.messages();
    return counted < MESSAGE_LIMIT;
  }

  #dismiss({ type }: EventOf<'Page.javascriptDialogOpening'>): void {
    this.#dialogs += 1;
    if (this.#dialogs > DIALOG_LIMIT) this.#floods.dialogs();
    // a dismissed beforeunload would make every later navigation of the page fail (design/rendering, "Hostile scripts")
    const accept = type === 'beforeunload';
    this.#session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {}); // the page may be gone
  }
}

function keep(urls: string[], url: string): void {
  const kept = cutText(url, URL_LENGTH);
  if (urls.length < NAVIGATION_LIMIT && !urls.includes(kept)) urls.push(kept);
}
