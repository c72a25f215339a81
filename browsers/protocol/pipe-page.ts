/** A page of a browser of ours, with the sessions of its workers and frames. */
import { BROWSER_LANGUAGE, type BrowserPage, type PageEvents, type PageManner } from './browser.ts';
import type { DevToolsConnection } from './connection.ts';
import type { PipeSession } from './pipe-session.ts';
import type { DevToolsSession, EventOf } from './session.ts';

type Attached = EventOf<'Target.attachedToTarget'>;

/** The connection that the browser reports to its pages: 50 ms, 10 Mbit/s, a fast line. Nothing is slowed down by it. */
const ONLINE = {
  offline: false,
  latency: 50,
  downloadThroughput: 1_250_000,
  uploadThroughput: 1_250_000,
  connectionType: 'ethernet',
} as const;

interface PipePageParts extends Pick<BrowserPage, 'frameId' | 'frameControl' | 'adopt' | 'close'> {
  readonly session: PipeSession;
  readonly connection: DevToolsConnection;
}

/** All but service workers: the browser's session ends them. One that was attached here as well would wait for both. */
const BELOW = [{ type: 'service_worker', exclude: true }, {}];

export class PipePage implements BrowserPage {
  readonly session: PipeSession;
  readonly frameId: string;
  readonly frameControl: boolean;
  readonly adopt: BrowserPage['adopt'];
  readonly close: () => Promise<void>;
  readonly #connection: DevToolsConnection;
  readonly #frames = new Set<DevToolsSession>();
  #events: PageEvents | null = null;

  constructor({ session, connection, frameId, frameControl, adopt, close }: PipePageParts) {
    this.session = session;
    this.frameId = frameId;
    this.frameControl = frameControl;
    this.adopt = adopt;
    this.close = close;
    this.#connection = connection;
  }

  listen(events: PageEvents): void {
    this.#events = events;
    const { session } = this;
    session.on('Inspector.targetCrashed', () => events.ended('crashed'));
    if (session.gone.aborted) events.ended('closed');
    else session.gone.addEventListener('abort', () => events.ended('closed'), { once: true });
  }

  async remoteFrames(): Promise<readonly DevToolsSession[]> {
    return [...this.#frames];
  }

  async prepare({ userAgent, viewport }: PageManner, ownNetwork: boolean): Promise<void> {
    const { session } = this;
    const metrics = { ...viewport, deviceScaleFactor: 1, mobile: false };
    await Promise.all([
      session.send('Inspector.enable'),
      this.#attachBelow(session),
      session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: BROWSER_LANGUAGE }),
      session.send('Emulation.setLocaleOverride', { locale: BROWSER_LANGUAGE }),
      // a page that thinks itself in the background does less than it would for a reader
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      // in a network without a way out the browser would report to pages that they are offline
      ownNetwork ? session.send('Network.overrideNetworkState', ONLINE) : undefined,
      // a window of a frame-controlled page has the size that its target was made with
      this.frameControl ? undefined : session.send('Emulation.setDeviceMetricsOverride', metrics),
    ]);
  }

  /** Attaches to workers and frames of other processes, and to theirs: each has a session of its own from its first moment. */
  async #attachBelow(above: PipeSession): Promise<void> {
    above.on('Target.attachedToTarget', (attached) => this.#attached(attached));
    await above.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: BELOW,
    });
  }

  #attached({ sessionId, targetInfo: { type, url } }: Attached): void {
    const ignore = (): void => {}; // it has gone by itself
    const session = this.#connection.session(sessionId);
    if (type === 'worker') {
      this.#events?.workerStarted(url, session);
      session.gone.addEventListener('abort', () => this.#events?.workerEnded(), { once: true });
    } else if (type === 'iframe') {
      this.#frames.add(session);
      session.gone.addEventListener('abort', () => this.#frames.delete(session), { once: true });
      this.#events?.frameStarted(session);
    }
    this.#attachBelow(session).catch(ignore);
    session.send('Runtime.runIfWaitingForDebugger').catch(ignore);
  }
}
