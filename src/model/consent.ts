/** Consent dialogs: what a user wants done with them, and what came of it. */

/** `--consent`: `leave` does nothing and looks for none. */
export const CONSENT_MODES = ['leave', 'reject', 'accept', 'hide'] as const;
export type ConsentMode = (typeof CONSENT_MODES)[number];

/**
 * What became of the consent dialog of a page. `none`: none was found, which is so, too, where the site remembers the answer to an
 * earlier one. `shown`: one was found, and it could not be dealt with.
 */
export type ConsentState = 'none' | 'shown' | 'rejected' | 'accepted' | 'hidden';

/** The style by which the consent engine hides all that it knows from the start, and that by which single rules hide. */
export type HidingStyle = 'prehide' | 'rules';
