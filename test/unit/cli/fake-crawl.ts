/** A crawl without an engine: emits the test's events, and stops on request. */
import type { Crawl, CrawlProgress, CrawlReport } from '../../../src/crawl/crawl.ts';
import type { CrawlEvent } from '../../../src/crawl/events.ts';
import { crawlId } from '../../../src/model/crawl-id.ts';
import type { PageRecord } from '../../../src/model/record.ts';

export function progressOf(changes: Partial<CrawlProgress> = {}): CrawlProgress {
  return {
    totals: { discovered: 200, visited: 128, failed: 0, skipped: 40, queued: 32 },
    visiting: 2,
    elapsed: 65_000,
    pagesPerSecond: 4.23,
    slowestHost: null,
    hostsWaiting: [],
    timeLeft: null,
    redisSilence: null,
    stopping: false,
    ...changes,
  };
}

export function reportOf(changes: Partial<CrawlReport> = {}): CrawlReport {
  return {
    id: crawlId('fake-crawl'),
    folder: '/somewhere/out',
    state: 'finished',
    end: 'all-visited',
    cause: null,
    goesOn: null,
    queuedHosts: [],
    totals: { discovered: 200, visited: 157, failed: 3, skipped: 40, queued: 0 },
    outcomes: { captured: 150, redirected: 7, 'http-error': 3 },
    skipped: { 'out-of-scope': 30, 'disallowed-by-robots': 10 },
    linksFound: 4321,
    visitsOfRun: 160,
    elapsed: 65_000,
    notes: [],
    suspectedTraps: [],
    foldedParameters: [],
    hostsGivenUp: [],
    hostsWaiting: [],
    stalls: { count: 0, longest: 0 },
    failures: [],
    wrongGuesses: {},
    truncated: { count: 0, first: [] },
    unanswered: { count: 0, longest: null },
    partlyUsed: { count: 0, first: null },
    blank: { count: 0, first: null },
    ...changes,
  };
}

export function pageOf(changes: Partial<PageRecord> = {}): PageRecord {
  return {
    url: 'https://example.org/a',
    finalUrl: 'https://example.org/a',
    outcome: 'captured',
    status: 200,
    redirects: [],
    contentType: 'text/html',
    bytes: 1000,
    truncated: null,
    depth: 1,
    referrer: 'https://example.org/',
    attempt: 1,
    confidence: 'high',
    startedAt: '2026-01-02T03:04:05.678Z',
    rendered: true,
    timing: { wait: 0, ttfb: 41, load: 230, settle: 65, total: 371 },
    settle: { reason: 'quiet', pending: [] },
    empty: false,
    consent: null,
    title: 'A',
    description: null,
    canonical: null,
    lang: 'en',
    h1: [],
    facts: {},
    words: 10,
    robots: [],
    robotsRule: null,
    lastModified: null,
    digest: null,
    duplicateOf: null,
    similarity: null,
    credit: { cash: 0, history: 0, importance: 0 },
    links: { found: 60, new: 12, parts: 70 },
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
    snapshot: { html: null, text: null, screenshot: null, warc: null },
    detail: null,
    ...changes,
  };
}

export interface FakeCrawlScript {
  readonly events?: AsyncIterable<CrawlEvent> | Iterable<CrawlEvent>;
  readonly report?: Partial<CrawlReport>;
  readonly progress?: () => CrawlProgress;
  /** Waits after the events until stopped. */
  readonly untilStopped?: boolean;
}

export class FakeCrawl implements Crawl {
  readonly id = crawlId('fake-crawl');
  readonly folder = '/somewhere/out';
  readonly seeds = ['https://example.org/'];
  readonly stops: ('drain' | 'at-once')[] = [];
  disposed = false;
  readonly #script: FakeCrawlScript;
  readonly #stopped: Promise<void>;
  #stop: () => void = () => {};

  constructor(script: FakeCrawlScript = {}) {
    this.#script = script;
    this.#stopped = new Promise((settle) => {
      this.#stop = settle;
    });
  }

  progress(): CrawlProgress {
    return this.#script.progress?.() ?? progressOf({ stopping: this.stops.length > 0 });
  }

  stop(how: 'drain' | 'at-once'): void {
    this.stops.push(how);
    this.#stop();
  }

  readonly faults: unknown[] = [];

  breakOff(error: unknown): void {
    this.faults.push(error);
    this.#stop();
  }

  async report(): Promise<CrawlReport> {
    const interrupted = this.stops.length > 0 ? ({ state: 'interrupted', end: 'interrupted' } as const) : {};
    const broken = this.faults.length > 0 ? ({ state: 'failed', end: 'broken', cause: 'a fault' } as const) : {};
    return reportOf({ ...interrupted, ...broken, ...this.#script.report });
  }

  async *[Symbol.asyncIterator](): AsyncIterator<CrawlEvent> {
    for await (const event of this.#script.events ?? []) yield event;
    if (this.#script.untilStopped === true) await this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
  }
}
