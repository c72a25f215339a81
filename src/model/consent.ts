/** Consent dialogs: the user's choice, and its result. */

/** `--consent`: `leave` neither searches for a dialog nor answers one. */
export const CONSENT_MODES = ['leave', 'reject', 'accept', 'hide'] as const;
export type ConsentMode = (typeof CONSENT_MODES)[number];

/**
 * State of a page's consent dialog. `none`: none was found, also where the site remembers the answer to an
 * earlier one. `shown`: one was found, but could not be handled.
 */
export type ConsentState = 'none' | 'shown' | 'rejected' | 'accepted' | 'hidden';

/** Kind of hiding style: the consent engine's for all elements that it knows, from the start (`prehide`), and that of single rules. */
export type HidingStyle = 'prehide' | 'rules';
