/** Limits on handling a consent dialog. Numbers without a source are arbitrary. */
import { kibibytes, milliseconds, seconds, type Bytes, type Milliseconds } from '../../base/units.ts';

/** Time of the page's clock between two looks. The engine gives up a question to the page after 1 s of it. */
export const CONSENT_STEP: Milliseconds = milliseconds(500);
/** Looks at a page that shows something of a dialog; the engine waits 5 s for one to appear, and up to 10 s for its parts. */
export const CONSENT_STEPS = 30;
/** Looks at a page on which no dialog has appeared yet; where the engine expects a dialog that it knows, it waits 6 s for it. */
export const CONSENT_LOOKS = 14;
/** Real time between two looks for the document of a reload. */
export const CONSENT_TICK: Milliseconds = milliseconds(10);
/** Time of the page's clock for the effects of an answer: the dialog fades away, content that it held back is loaded. */
export const CONSENT_AFTERMATH: Milliseconds = milliseconds(1000);
/** Real time for all of this, except loads of the document. */
export const CONSENT_TIME: Milliseconds = seconds(10);
/** How often a dialog may load its page again: one does so to apply the answer, a second time is tolerated. */
export const CONSENT_RELOADS = 2;
/** Frames that the engine looks at, the page included. */
export const CONSENT_FRAMES = 20;
/** Characters of a message; the longest are states with snippets of what was found. */
export const CONSENT_MESSAGE_LENGTH: Bytes = kibibytes(64);
/** Messages of a visit that are read; a page with a dialog sends some hundred. */
export const CONSENT_MESSAGES = 2000;
/** Elements of a page beyond which dialogs are found by rules alone: the time to search for words rises with the square of some of them. */
export const CONSENT_ELEMENTS = 20_000;
