/** Limits on the time and the links of page hooks. Numbers without a source are arbitrary. */
import { milliseconds, seconds, type Milliseconds } from '../../base/units.ts';

/** Real time for one call of a hook, within that of its visit. */
export const HOOK_TIME: Milliseconds = seconds(10);
/** Share of that for one action of Playwright, so that Playwright reports a missing element in its own words while there is time. */
export const ACTION_SHARE = 0.5;
/** Links that the hooks of a visit may add; as many as a page may have. */
export const HOOK_LINKS = 10_000;
/** Characters of the text of such a link. */
export const HOOK_LINK_TEXT = 200;
/** Characters of an error in the log. */
export const HOOK_ERROR_LENGTH = 1000;
/** Time of the page's clock for the effects of hooks. */
export const HOOK_AFTERMATH: Milliseconds = milliseconds(500);
/** Real time without news of the network after which requests do not stop the page's clock any more. */
export const HOOK_STALL: Milliseconds = seconds(1);
/** Most time of the page's clock that is granted at once while a hook works: on a busy machine it goes no faster than the real one, either. */
export const HOOK_STEP: Milliseconds = milliseconds(100);
