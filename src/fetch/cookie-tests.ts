/**
 * Passes the tests of servers that let nobody in without cookies (core/cookies/cookie-test.ts). Visits bring no cookies, so that each page is
 * what a new visitor sees; for a host with such a test they bring those that it has set. A test takes one request for each lease of its
 * URL, so that the pauses of the host hold: between two of them the visit is given back.
 */
import type { Log } from '../base/log.ts';
import { LruMap } from '../base/lru-map.ts';
import { cookiesSetBy, testTargetOf, type SetCookies, type TestTarget } from '../core/cookies/cookie-test.ts';
import { NO_COOKIES, type Cookies, type HostCookies } from '../core/cookies/host-cookies.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';

/** Hosts, and URLs under test, that are remembered (arbitrary). */
const REMEMBERED = 10_000;
/** Requests of one test, and tests of a host that come to nothing: log-ins name the page that was asked for, too. */
const MOST_STEPS = 4;
const MOST_FAILURES = 2;

type Redirected = VisitOutcome & { readonly kind: 'redirected' };

interface CookieTest {
  /** The answer that began it: the end of the visit where it is no test. */
  readonly first: Redirected;
  readonly kind: TestTarget;
  readonly next: CanonicalUrl;
  readonly cookies: Cookies;
  readonly steps: number;
}

interface TestParts {
  /** Asks for a document with cookies, without a browser. */
  readonly ask: (visit: Visit, cookies: Cookies, signal: AbortSignal) => Promise<VisitOutcome | null>;
  /** May the crawl ask for this URL? */
  readonly isAllowed: (url: CanonicalUrl, signal: AbortSignal) => Promise<boolean>;
  readonly log: Log;
}

export class CookieTests {
  readonly #cookies: HostCookies;
  readonly #parts: TestParts;
  readonly #tests = new LruMap<CanonicalUrl, CookieTest>(REMEMBERED);
  /** How often each URL was tested. */
  readonly #tried = new LruMap<CanonicalUrl, number>(REMEMBERED);
  /** Tests that came to nothing, by host. */
  readonly #failures = new LruMap<HostKey, number>(REMEMBERED);

  constructor(cookies: HostCookies, parts: TestParts) {
    this.#cookies = cookies;
    this.#parts = parts;
  }

  /** Makes a visit, or the next step of its test. @returns null where the visit is to be given back, and made again after the pause of its host */
  async load(
    visit: Visit,
    load: (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>,
    signal: AbortSignal,
  ): Promise<VisitOutcome | null> {
    const test = this.#tests.get(visit.url);
    if (test !== undefined) return this.#goOn(visit, test, signal);
    const outcome = await load(visit, signal);
    if (visit.kind === 'probe' || visit.again === true) return outcome;
    if (outcome?.kind === 'captured' && outcome.cookies !== undefined)
      return this.#mayReload(visit, outcome.cookies) ? this.#pass(visit, outcome.cookies) : outcome;
    if (outcome?.kind !== 'redirected') return outcome;
    return (await this.#begins(visit, outcome, signal)) ? null : outcome;
  }

  /** A page that loads itself again with the cookies that it has stored: some do so for ever, so each host has two tries. */
  #mayReload(visit: Visit, cookies: Cookies): boolean {
    const failures = this.#failures.get(visit.host) ?? 0;
    if (failures >= MOST_FAILURES || !this.#isNews(visit.url, cookies)) return false;
    this.#failures.set(visit.host, failures + 1);
    return true;
  }

  async #begins(visit: Visit, outcome: Redirected, signal: AbortSignal): Promise<boolean> {
    const target = testTargetOf(visit.url, outcome.location);
    const tried = this.#tried.get(visit.url) ?? 0;
    if (target === null || tried >= MOST_STEPS) return false;
    const cookies = outcome.cookies ?? joined(NO_COOKIES, cookiesSetBy(outcome.answer.headers));
    if (target.kind === 'same') {
      if (!this.#isNews(visit.url, cookies)) return false;
      this.#tried.set(visit.url, tried + 1);
      this.#pass(visit, cookies);
      return true;
    }
    const failures = this.#failures.get(visit.host) ?? 0;
    if (failures >= MOST_FAILURES || (target.kind === 'extended' && !this.#isNews(visit.url, cookies))) return false;
    if (!(await this.#parts.isAllowed(target.url, signal))) return false;
    this.#tried.set(visit.url, tried + 1);
    this.#tests.set(visit.url, { first: outcome, kind: target.kind, next: target.url, cookies, steps: 1 });
    return true;
  }

  async #goOn(visit: Visit, test: CookieTest, signal: AbortSignal): Promise<VisitOutcome | null> {
    const sent = new Map([...this.#cookies.of(visit.url), ...test.cookies]);
    const outcome = await this.#parts.ask({ ...visit, url: test.next }, sent, signal);
    // a document under the same path is the page itself
    if (outcome === null && test.kind === 'extended') return this.#pass(visit, test.cookies, test.first);
    if (outcome?.kind === 'throttled') {
      this.#tests.delete(visit.url); // the host asks for a pause: the visit is made again after it
      return outcome;
    }
    if (outcome?.kind !== 'redirected') return this.#fail(visit, test);
    const cookies = joined(test.cookies, cookiesSetBy(outcome.answer.headers));
    const isBack = testTargetOf(visit.url, outcome.location, test.next);
    if (isBack?.kind === 'same')
      return this.#isNews(visit.url, cookies) ? this.#pass(visit, cookies) : this.#fail(visit, test);
    const isOver = isBack === null || test.steps >= MOST_STEPS || !(await this.#parts.isAllowed(isBack.url, signal));
    if (isOver) return this.#fail(visit, test);
    this.#tests.set(visit.url, { ...test, kind: isBack.kind, next: isBack.url, cookies, steps: test.steps + 1 });
    return null;
  }

  /** Keeps the cookies for all visits of the host. */
  #pass(visit: Visit, cookies: Cookies, outcome: VisitOutcome | null = null): VisitOutcome | null {
    this.#tests.delete(visit.url);
    this.#cookies.add(visit.url, cookies);
    this.#parts.log.info('host lets nobody in without cookies', { url: visit.url, cookies: [...cookies.keys()] });
    return outcome;
  }

  #fail(visit: Visit, test: CookieTest): VisitOutcome {
    this.#tests.delete(visit.url);
    this.#failures.set(visit.host, (this.#failures.get(visit.host) ?? 0) + 1);
    return test.first;
  }

  /** Would visits bring something that they have not brought before? */
  #isNews(url: CanonicalUrl, cookies: Cookies): boolean {
    const known = this.#cookies.of(url);
    return [...cookies].some(([name, value]) => known.get(name) !== value);
  }
}

function joined(before: Cookies, set: SetCookies): Cookies {
  const all = new Map(before);
  for (const [name, value] of set) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return all;
}
