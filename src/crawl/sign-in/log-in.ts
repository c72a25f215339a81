/**
 * Signs in by the steps of a file, or by a module, in a page of its own. The mark of `--signed-in` shows whether that worked; without
 * one, a page that still asks for a password shows that it failed. A failure names step and page, and leaves a picture.
 */
import type { StorageState } from '../../../browsers/protocol/storage-state.ts';
import type { Clock } from '../../base/clock.ts';
import { withDeadline } from '../../base/deadline.ts';
import { redactor } from '../../base/redaction.ts';
import { milliseconds, minutes, seconds, type EpochMs, type Milliseconds } from '../../base/units.ts';
import { urlGlob } from '../../core/scope/url-glob.ts';
import { markWords, type SignedInMark } from '../../core/sign-in/signed-in-mark.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { HookedPage } from '../../render/hooks/page-hook.ts';
import type { SignInPage } from '../../render/sign-in-page.ts';
import type { LoginFile, LoginStep } from './login-file.ts';
import { QuietNetwork } from './quiet-network.ts';
import { StepPages } from './step-pages.ts';
import { nextTotp, totp } from './totp.ts';

export type LogInEnd =
  | {
      readonly kind: 'signed-in';
      readonly state: StorageState;
      /** The page on which it ended. */
      readonly url: string;
    }
  /** `why` names step and page, and no secret; the picture is a PNG, null where the page gave none. */
  | { readonly kind: 'failed'; readonly why: string; readonly picture: Uint8Array | null };

export interface LogIn {
  /** @throws the signal's reason */
  run(signal: AbortSignal): Promise<LogInEnd>;
}

interface LogInParts {
  readonly renderer: Pick<Renderer, 'signIn'>;
  readonly mark: SignedInMark | null;
  readonly clock: Clock;
}

/** The longest time of a log-in. */
const LOG_IN_TIME = minutes(5);
/** The longest time of a module. */
const MODULE_TIME = minutes(2);
/** The longest wait for the answers to the last step, and for what a page stores after it. */
const QUIET_TIME = seconds(10);
const PICTURE_TIME = seconds(5);
const LOOK_EVERY = milliseconds(100);
const WORDS = 300;

export function createLogIn(file: LoginFile, parts: LogInParts): LogIn {
  return new FileLogIn(file, parts);
}

/** A failure in words for a person. */
class LogInFailed extends Error {}

class FileLogIn implements LogIn {
  readonly #file: LoginFile;
  readonly #parts: LogInParts;
  readonly #hide: (text: string) => string;
  /** When the next one-time password begins to hold: a site takes none twice. */
  #nextPassword: EpochMs | null = null;

  constructor(file: LoginFile, parts: LogInParts) {
    this.#file = file;
    this.#parts = parts;
    this.#hide = redactor(file.secrets);
  }

  async run(signal: AbortSignal): Promise<LogInEnd> {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(LOG_IN_TIME)]);
    try {
      return await this.#parts.renderer.signIn((page) => this.#with(page, ending), ending);
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'failed', why: this.#words(error), picture: null };
    }
  }

  async #with(page: SignInPage, signal: AbortSignal): Promise<LogInEnd> {
    const pages = new StepPages(page.page, this.#parts.clock);
    const network = new QuietNetwork(page.page.context(), this.#parts.clock);
    try {
      await this.#do(page, pages, AbortSignal.any([signal, page.gone]));
      await this.#proved(page, { pages, network }, AbortSignal.any([signal, page.gone]));
      return { kind: 'signed-in', state: await page.storageState(), url: page.page.url() };
    } catch (error) {
      if (signal.aborted) throw error;
      const picture = page.gone.aborted ? null : await pictureOf(page, pages.newest, signal);
      return { kind: 'failed', why: this.#words(error), picture };
    }
  }

  async #do({ page }: SignInPage, pages: StepPages, signal: AbortSignal): Promise<void> {
    const { way, name } = this.#file;
    if (way.kind === 'module') {
      const done = Promise.resolve().then(() => way.run({ page, context: page.context() }));
      await withDeadline(done, name, MODULE_TIME, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new LogInFailed(`${name} failed on ${pages.newest.url()}: ${firstLine(error)}`);
      });
      return;
    }
    for (const step of way.steps) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#step(pages, step, signal);
    }
  }

  async #step(pages: StepPages, step: LoginStep, signal: AbortSignal): Promise<void> {
    const limit = milliseconds(step.timeout + (step.action.kind === 'wait-time' ? step.action.time : 0) + MARGIN);
    const wait = step.action.kind === 'totp' ? this.#passwordIsFresh(signal) : Promise.resolve();
    await wait;
    const done = this.#act(pages, step, signal);
    await withDeadline(done, step.words, limit, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const which = step.number === 0 ? 'the first page' : `step ${step.number}`;
      const why = isTimeout(error) ? `found nothing within ${step.timeout / 1000} s` : `failed: ${firstLine(error)}`;
      throw new LogInFailed(`${which} of ${this.#file.name} (${step.words}) ${why}, on ${pages.newest.url()}`);
    });
  }

  async #act(pages: StepPages, { action, at, timeout }: LoginStep, signal: AbortSignal): Promise<void> {
    const isMeant = at === null ? null : urlGlob(at);
    const withElement = async (selector: string, state: 'visible' | 'attached' = 'visible') => {
      const of = (page: HookedPage) => page.locator(selector).first();
      const ready = (page: HookedPage, limit: Milliseconds) => of(page).waitFor({ state, timeout: limit });
      const { page, left } = await pages.ready({ isMeant, ready }, timeout, signal);
      return { element: of(page), within: { timeout: left } };
    };
    switch (action.kind) {
      case 'goto': {
        const page = pages.newest;
        const until = this.#parts.clock.monotonic() + timeout;
        const answer = await page.goto(action.url, { timeout, waitUntil: 'commit' });
        if (answer !== null && answer.status() >= 500) throw new Error(`status ${answer.status()}`);
        return loaded(page, milliseconds(until - this.#parts.clock.monotonic()));
      }
      case 'fill': {
        const { element, within } = await withElement(action.selector);
        return element.fill(action.value, within);
      }
      case 'totp': {
        const { element, within } = await withElement(action.selector);
        const now = this.#parts.clock.now();
        this.#nextPassword = nextTotp(action.secret, now);
        return element.fill(totp(action.secret, now), within);
      }
      case 'click': {
        const { element, within } = await withElement(action.selector);
        return element.click(within);
      }
      case 'press': {
        if (action.selector === null) {
          const { page } = await pages.ready({ isMeant, ready: async () => {} }, timeout, signal);
          return page.keyboard.press(action.key);
        }
        const { element, within } = await withElement(action.selector, 'attached');
        return element.press(action.key, within);
      }
      case 'wait-for':
        return void (await withElement(action.selector));
      case 'wait-url': {
        const matches = urlGlob(action.glob);
        const ready = (page: HookedPage, limit: Milliseconds) =>
          page.waitForURL((url) => matches(url.href), { timeout: limit, waitUntil: 'commit' });
        const { page, left } = await pages.ready({ isMeant, ready }, timeout, signal);
        return loaded(page, left);
      }
      case 'wait-time':
        return this.#parts.clock.sleep(action.time, signal);
    }
  }

  /** A second log-in within the time of a one-time password waits for the next. */
  async #passwordIsFresh(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const left = (this.#nextPassword ?? 0) - clock.now();
    if (left > 0) await clock.sleep(milliseconds(left), signal);
  }

  /** @throws where the page does not show that it is signed in */
  async #proved(
    signIn: SignInPage,
    { pages, network }: { readonly pages: StepPages; readonly network: QuietNetwork },
    signal: AbortSignal,
  ): Promise<void> {
    const { mark, clock } = this.#parts;
    const { page } = signIn;
    // before the answer is there a form looks as it does after a wrong password, or has gone already
    await network.reached(QUIET_TIME, signal);
    if (mark === null) {
      const asking = await Promise.all(pages.open.map((each) => asksForPassword(each)));
      const [url] = asking.filter((each) => each !== null);
      if (url === undefined) return;
      throw new LogInFailed(`after the last step ${url} still asks for a password: is it the right one?`);
    }
    const until = clock.monotonic() + this.#file.timeout;
    let isLate = false;
    while (!(await isMarked(signIn, mark, signal))) {
      if (clock.monotonic() >= until)
        throw new LogInFailed(
          `after the last step ${page.url()} is not signed in (${markWords(mark)}): is the password the right one?`,
        );
      isLate = true;
      await clock.sleep(LOOK_EVERY, signal);
    }
    if (isLate) await network.reached(QUIET_TIME, signal); // what it stores may come later still
  }

  #words(error: unknown): string {
    return this.#hide(error instanceof LogInFailed ? error.message : firstLine(error)).slice(0, WORDS * 2);
  }
}

/** Waits for scripts to be there before anything is clicked; but a picture that hangs keeps nobody from signing in. */
async function loaded(page: HookedPage, limit: Milliseconds): Promise<void> {
  await page.waitForLoadState('load', { timeout: Math.max(1, limit) }).catch((error: unknown) => {
    if (!isTimeout(error) && !page.isClosed()) throw error;
  });
}

/** @returns the page's address where it asks */
async function asksForPassword(page: HookedPage): Promise<string | null> {
  const asks = page.locator('input[type=password]:visible').first().isVisible();
  return (await asks.catch(() => false)) ? page.url() : null; // one that has closed asks no more
}

/** The picture of the window in which the log-in failed. */
async function pictureOf(signIn: SignInPage, newest: HookedPage, signal: AbortSignal): Promise<Uint8Array | null> {
  if (newest === signIn.page) return signIn.picture(signal);
  return newest.screenshot({ timeout: PICTURE_TIME }).catch(() => null); // the failure is told all the same
}

/** Time beyond Playwright's own time limit. */
const MARGIN = 2000;

async function isMarked(page: SignInPage, mark: SignedInMark, signal: AbortSignal): Promise<boolean> {
  if (mark.kind === 'url') return urlGlob(mark.glob)(page.page.url()) !== mark.contrary;
  return (await page.shows(mark, signal)) === true;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'DeadlineExceeded');
}

function firstLine(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return (words.split('\n', 1)[0] ?? '').slice(0, WORDS);
}
