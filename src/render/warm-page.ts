/**
 * A page that is kept for further visits of the same registrable domain. Everything that waits for it waits under its
 * `gone` signal: a page that has crashed, was closed or lost its browser answers nobody.
 */
import type { BrowserContext, CDPSession, Page as BrowserPage } from 'playwright-core';
import type { Clock } from '../base/clock.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Milliseconds } from '../base/units.ts';
import { canonicalUrl } from '../model/canonical-url.ts';
import { registrableDomainOf, type RegistrableDomain } from '../model/host-key.ts';
import { DocumentGate } from './document-gate.ts';
import { SOURCE as RECORD_NAVIGATIONS } from './generated/record-navigations.ts';
import type { LiveBrowser } from './live-browser.ts';
import { CALL_LIMIT } from './page-limits.ts';
import { PageEnded } from './page-ended.ts';
import { PageWatch } from './page-watch.ts';

/** Name of the world in which our scripts run. */
export const WORLD_NAME = 'orbweaver';

export interface WarmPageParts {
  readonly browser: LiveBrowser;
  readonly context: BrowserContext;
  readonly page: BrowserPage;
  readonly session: CDPSession;
  readonly frameId: string;
  readonly frameControl: boolean;
  readonly domain: RegistrableDomain;
  readonly clock: Clock;
  readonly extraHeaders: Readonly<Record<string, string>>;
}

export class WarmPage {
  readonly browser: LiveBrowser;
  readonly context: BrowserContext;
  readonly page: BrowserPage;
  readonly session: CDPSession;
  /** Of the main frame; the same for the life of the page. */
  readonly frameId: string;
  /** Are frames drawn only when we ask for them? */
  readonly frameControl: boolean;
  readonly domain: RegistrableDomain;
  readonly watch: PageWatch;
  readonly gate: DocumentGate;
  readonly #gone = new AbortController();
  visits = 0;
  /** URL of the document it shows, without fragment. */
  shows = 'about:blank';
  /** Execution context of our world in the document that it shows; null where that is not known. */
  world: number | null = null;

  constructor(parts: WarmPageParts) {
    this.browser = parts.browser;
    this.context = parts.context;
    this.page = parts.page;
    this.session = parts.session;
    this.frameId = parts.frameId;
    this.frameControl = parts.frameControl;
    this.domain = parts.domain;
    const extra = { headers: parts.extraHeaders, appliesTo: (url: string) => isOf(parts.domain, url) };
    this.gate = new DocumentGate(parts.session, parts.frameId, extra, parts.clock);
    this.watch = new PageWatch(parts.session, parts.frameId, parts.clock, {
      dialogs: () => this.end(new PageEnded('timed-out', 'the page opens dialogs without end')),
      requests: () => this.gate.refuse(),
    });
    parts.page.on('worker', (worker) => {
      this.watch.workerStarted(worker.url(), null);
      worker.on('close', () => this.watch.workerEnded());
    });
    parts.page.on('crash', () => this.end(new PageEnded('crashed', 'the renderer process has crashed')));
    parts.page.on('close', () => this.end(new PageEnded('crashed', 'the page was closed')));
    parts.session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === parts.frameId) this.world = null;
    });
  }

  /** Aborted with a {@link PageEnded} when the page can answer no more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The page is lost; whoever waits for it hears why. */
  end(reason: PageEnded): void {
    this.#gone.abort(reason);
  }

  /** Switches on what every visit needs. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const source = `(${RECORD_NAVIGATIONS})()`;
    const ready = Promise.all([
      session.send('Page.enable'),
      this.frameControl ? session.send('HeadlessExperimental.enable') : undefined,
      session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD_NAME, runImmediately: true }),
      this.gate.open(),
      this.watch.open(),
    ]);
    await withDeadline(ready, 'the new page', CALL_LIMIT, AbortSignal.any([signal, this.gone]));
  }

  /**
   * Waits for a call to the page, but not longer than for a living page.
   * @param signal the visit's, which {@link gone} is part of: one signal for a visit costs less than one for each call
   * @throws as {@link withDeadline}
   */
  within<Result>(
    call: Promise<Result>,
    what: string,
    signal: AbortSignal,
    limit: Milliseconds = CALL_LIMIT,
  ): Promise<Result> {
    return withDeadline(call, what, limit, signal);
  }

  /** Ends the page and its storage. Never rejects, and does not wait for a page that hangs. */
  async dispose(signal: AbortSignal): Promise<void> {
    this.gate.close();
    try {
      await withDeadline(this.context.close(), 'closing the context', CALL_LIMIT, signal);
    } catch {
      this.browser.misbehaved('a page could not be closed');
    } finally {
      this.end(new PageEnded('crashed', 'the page was given back'));
    }
  }
}

function isOf(domain: RegistrableDomain, text: string): boolean {
  const url = canonicalUrl(text);
  return url !== null && registrableDomainOf(url) === domain;
}
