/**
 * The page hooks of one visit. Playwright gets the page before the first hook, and lets it go after the last. Invariants: a hook that
 * fails costs a line of the log and not the visit; nothing that a hook sets outlives the visit, except the site's storage.
 */
import type { AdoptedPage } from '../../../browsers/protocol/browser.ts';
import { DeadlineExceeded, withDeadline } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { milliseconds, type Milliseconds } from '../../base/units.ts';
import type { FoundLink } from '../../model/link.ts';
import type { Visit } from '../../model/visit.ts';
import { joined } from '../extract/capture.ts';
import type { Collected } from '../extract/collect.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  HOOK_AFTERMATH,
  ACTION_SHARE,
  HOOK_ERROR_LENGTH,
  HOOK_LINK_TEXT,
  HOOK_LINKS,
  HOOK_TIME,
} from '../limits/hook-limits.ts';
import { OPEN_LIMIT, PROTOCOL_CALL_LIMIT, URL_LENGTH } from '../page-limits.ts';
import { leave } from '../page/navigate.ts';
import { PageEnded } from '../page/page-ended.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { VisitContext } from '../visit-context.ts';
import type { PageHook, PageHookCall } from './page-hook.ts';
import { RunningPage } from './running-page.ts';

type Stage = 'before' | 'settled';

const EMPTY = 'about:blank';

export class VisitHooks {
  readonly #hooks: readonly PageHook[];
  readonly #page: WarmPage;
  readonly #visit: Visit;
  readonly #context: Pick<VisitContext, 'clock' | 'log' | 'options'>;
  readonly #foundLinks: FoundLink[] = [];
  #adopted: AdoptedPage | null = null;
  #sound = true;
  /** The reason for the loss of the page, once the log has it. */
  #loss: unknown = null;

  private constructor(hooks: readonly PageHook[], page: WarmPage, visit: Visit, context: VisitContext) {
    this.#hooks = hooks;
    this.#page = page;
    this.#visit = visit;
    this.#context = context;
  }

  /** Null where no hook is for the page, as for nearly all pages, which costs nothing. */
  static of(page: WarmPage, visit: Visit, context: VisitContext): VisitHooks | null {
    const { pageHooks = [] } = context.options;
    const hooks = pageHooks.filter((hook) => hook.matches(visit.url));
    return hooks.length === 0 ? null : new VisitHooks(hooks, page, visit, context);
  }

  /** May the page serve again? To be asked after {@link letGo}. */
  get sound(): boolean {
    return this.#sound;
  }

  /** Runs the hooks that come before the navigation, on an empty page. @param until on the monotonic clock */
  async before(until: Milliseconds, signal: AbortSignal): Promise<void> {
    if (!this.#hooks.some(({ before }) => before !== undefined)) return;
    if (this.#page.shows !== EMPTY) await leave(this.#page, signal);
    await this.#run('before', until, signal);
  }

  /** Runs the hooks for an idle page, lets the page go, and waits for the end of work that the hooks started. */
  async onIdle(idleWait: IdleWait, until: Milliseconds, signal: AbortSignal): Promise<void> {
    const hooks = this.#hooks.filter(({ settled }) => settled !== undefined);
    if (hooks.length === 0) return this.letGo();
    if (idleWait.over) {
      const late = new Error('the page did not become idle in its time');
      for (const hook of hooks) this.#failed(hook, 'settled', late);
      return this.letGo();
    }
    await this.#catchUp(signal);
    await this.#run('settled', until, signal);
    await this.letGo();
    await idleWait.more(HOOK_AFTERMATH, signal);
  }

  /** The reading of the page, with the links that hooks added. */
  withLinks(read: Collected): Collected {
    const foundLinks = this.#foundLinks;
    return foundLinks.length === 0
      ? read
      : joined(read, { ...read, foundLinks, total: read.total + foundLinks.length });
  }

  /** Takes the page back from Playwright, where it has it. Never rejects. */
  async letGo(): Promise<void> {
    const adopted = this.#adopted;
    if (adopted === null) return;
    this.#adopted = null;
    if (adopted.tuned) this.#sound = false;
    try {
      await withDeadline(adopted.letGo(), 'letting a page go', PROTOCOL_CALL_LIMIT, this.#page.gone);
    } catch {
      this.#sound = false;
    }
  }

  /** Waits until Playwright knows the present document: it may know only the one before the navigation. Never rejects. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.#adopted === null) return;
    const caughtUp = withDeadline(this.#adopted.caughtUp(), 'Playwright', PROTOCOL_CALL_LIMIT, signal);
    await caughtUp.catch(() => {}); // the hook's own calls will report what is wrong
  }

  async #run(stage: Stage, until: Milliseconds, signal: AbortSignal): Promise<void> {
    const hooks = this.#hooks.filter((hook) => hook[stage] !== undefined);
    if (hooks.length === 0) return;
    const running = new RunningPage(this.#page, this.#context.clock, signal);
    try {
      if (stage === 'settled') await running.shown;
      for (const hook of hooks) {
        const { documents } = this.#page;
        await this.#call(hook, stage, until, signal);
        if (stage === 'settled' && this.#page.documents > documents) this.#lost(hook, stage, 'it left the page');
      }
    } finally {
      await running[Symbol.asyncDispose]();
      if (!running.sound) this.#sound = false;
    }
  }

  async #call(hook: PageHook, stage: Stage, until: Milliseconds, signal: AbortSignal): Promise<void> {
    const left = until - this.#context.clock.monotonic();
    if (left <= 0) return this.#failed(hook, stage, new Error('no time of the visit was left for it'));
    const limit = milliseconds(Math.min(this.#context.options.hookTime ?? HOOK_TIME, left));
    const ending = new AbortController();
    try {
      const { page } = (this.#adopted ??= await this.#adopt(hook, stage, signal));
      page.setDefaultTimeout(limit * ACTION_SHARE);
      const call = this.#callOf(hook, page, AbortSignal.any([signal, ending.signal]));
      const done = Promise.resolve().then(() => hook[stage]?.(call));
      await withDeadline(done, 'the hook', limit, signal);
      if (page.isClosed()) this.#lost(hook, stage, 'it closed the page');
    } catch (error) {
      const { gone } = this.#page;
      if (!gone.aborted) signal.throwIfAborted();
      if (error !== this.#loss) this.#failed(hook, stage, error);
      gone.throwIfAborted();
      if (this.#adopted?.page.isClosed() === true) this.#lost(hook, stage, 'it closed the page');
      if (error instanceof DeadlineExceeded) {
        this.#sound = false;
        await this.letGo(); // the hook may still be at work
      }
    } finally {
      ending.abort();
    }
  }

  async #adopt(hook: PageHook, stage: Stage, signal: AbortSignal): Promise<AdoptedPage> {
    const refusesPages = (): void => this.#failed(hook, stage, new Error('it tried to open a page'));
    const adopting = this.#page.adopt({ refusesPages });
    try {
      return await withDeadline(adopting, 'Playwright', OPEN_LIMIT, signal);
    } catch (error) {
      this.#sound = false;
      adopting.then(({ letGo }) => letGo()).catch(() => {}); // the page is not used again
      throw error;
    }
  }

  #callOf(hook: PageHook, page: AdoptedPage['page'], signal: AbortSignal): PageHookCall {
    const { url, depth, attempt, referrer } = this.#visit;
    return {
      page,
      context: page.context(),
      visit: { url, depth, attempt, referrer },
      addLink: (href, { text = '' } = {}) => {
        if (!signal.aborted) this.#addLink(hook, href, text);
      },
      log: this.#logOf(hook),
      signal,
    };
  }

  #addLink({ name }: PageHook, href: unknown, text: unknown): void {
    if (typeof href !== 'string' || href.length > URL_LENGTH)
      throw new TypeError(`addLink takes a URL of at most ${URL_LENGTH} characters`);
    if (this.#foundLinks.length >= HOOK_LINKS) throw new RangeError(`a page takes ${HOOK_LINKS} links of hooks`);
    this.#foundLinks.push({
      href,
      base: this.#visit.url,
      resolved: null,
      kind: 'hook',
      confidence: 'high',
      context: `hook ${name}`,
      stage: 'load',
      frame: null,
      text: String(text).replaceAll(/\s+/g, ' ').trim().slice(0, HOOK_LINK_TEXT),
      rel: [],
    });
  }

  #logOf({ name }: PageHook): Log {
    const { log } = this.#context;
    const about = { hook: name, url: this.#visit.url };
    return {
      debug: (event, fields) => log.debug(event, { ...fields, ...about }),
      info: (event, fields) => log.info(event, { ...fields, ...about }),
      warn: (event, fields) => log.warn(event, { ...fields, ...about }),
      error: (event, fields) => log.error(event, { ...fields, ...about }),
    };
  }

  /** Ends the visit as that of a page that has crashed: its document is lost. */
  #lost(hook: PageHook, stage: Stage, what: string): never {
    this.#failed(hook, stage, new Error(what));
    this.#page.end(new PageEnded('crashed', `page hook ${hook.name}: ${what}`));
    this.#loss = this.#page.gone.reason;
    throw this.#loss;
  }

  #failed({ name }: PageHook, stage: Stage, error: unknown): void {
    const words = error instanceof Error ? error.message : String(error);
    const [first = ''] = words.split('\n', 1);
    this.#context.log.warn('page hook failed', {
      hook: name,
      stage,
      url: this.#visit.url,
      error: first.slice(0, HOOK_ERROR_LENGTH),
    });
  }
}
