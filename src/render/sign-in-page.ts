/**
 * A page for somebody who signs in with it: Playwright's, in a context of its own, free to go wherever the egress gate lets it.
 * Its clock is the real one. Nothing of it becomes a record.
 */
import type { StorageState } from '../../browsers/protocol/storage-state.ts';
import { withDeadline } from '../base/deadline.ts';
import type { Clock } from '../base/clock.ts';
import { milliseconds, seconds } from '../base/units.ts';
import type { SignedInMark } from '../core/sign-in/signed-in-mark.ts';
import { takeScreenshot } from './extract/screenshot.ts';
import type { HookedPage } from './hooks/page-hook.ts';
import { RunningPage } from './hooks/running-page.ts';
import { OPEN_LIMIT } from './page-limits.ts';
import { showsMark } from './page/signed-in.ts';
import type { WarmPage } from './page/warm-page.ts';

/** Longest time for the storage: databases alone may take three seconds (browsers/playwright/context-state.ts), on a busy machine more. */
const STATE_LIMIT = seconds(15);

export interface SignInPage {
  readonly page: HookedPage;
  /** Aborted when the page can answer no more. */
  readonly gone: AbortSignal;
  /** Does it show the mark now? Null where that cannot be told, or the mark is an address. */
  shows(mark: SignedInMark, signal: AbortSignal): Promise<boolean | null>;
  /** A picture of the viewport, PNG; null where the page gives none. */
  picture(signal: AbortSignal): Promise<Uint8Array | null>;
  /** Its present storage: cookies, local storage, session storage, databases. */
  storageState(): Promise<StorageState>;
}

interface OpenedPage {
  readonly page: WarmPage;
  readonly storageState: () => Promise<StorageState>;
}

interface SignInParts {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly clock: Clock;
}

/** Does the work with the page, and closes it. @throws what the work throws; where Playwright does not take the page */
export async function withSignInPage<Result>(
  { page: warm, storageState }: OpenedPage,
  work: (page: SignInPage) => Promise<Result>,
  { viewport, clock }: SignInParts,
  signal: AbortSignal,
): Promise<Result> {
  try {
    const adopted = await withDeadline(warm.adopt({}), 'Playwright', OPEN_LIMIT, signal);
    await using _running = new RunningPage(warm, clock, signal);
    return await work({
      page: adopted.page,
      gone: warm.gone,
      shows: (mark, stop) => showsMark(warm, mark, adopted.page.url(), stop),
      picture: async (stop) => {
        const options = {
          screenshot: 'viewport',
          format: 'png',
          viewport,
          clock,
          idleWait: null,
          until: milliseconds(0),
        } as const;
        return takeScreenshot(warm, options, stop).catch(() => null); // the failure itself is reported without a picture, too
      },
      storageState: () => withDeadline(storageState(), 'the storage state', STATE_LIMIT, warm.gone),
    });
  } finally {
    await warm.dispose(new AbortController().signal);
  }
}
