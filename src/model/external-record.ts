/** Lines of external.jsonl: what came of asking for a link that leads out of the site (docs/audit.md, "External links"). */

/**
 * - `ok`: answers well; `redirected`: so does the address that it redirects to.
 * - `broken`: does not exist, as two looks some time apart have shown. Nothing else fails an audit.
 * - `blocked`: answers, and refuses this program; readers may see the page.
 * - `unsure`: failed in a way that may be over tomorrow, or be for this program alone.
 * - `not-asked`: nobody looked, and `detail` says why.
 */
export const EXTERNAL_VERDICTS = ['ok', 'redirected', 'broken', 'blocked', 'unsure', 'not-asked'] as const;
export type ExternalVerdict = (typeof EXTERNAL_VERDICTS)[number];

/** One question and what came of it. */
export interface ExternalLook {
  /** ISO 8601: when it was over. */
  readonly time: string;
  /** `browser`: it was opened as a reader opens it. */
  readonly method: 'HEAD' | 'GET' | 'browser';
  /** Of the last answer; null where there was none. */
  readonly status: number | null;
  /** Why it failed; null where it did not. */
  readonly detail: string | null;
}

export interface ExternalRecord {
  readonly url: string;
  readonly verdict: ExternalVerdict;
  /** Of the last answer; null where there was none. */
  readonly status: number | null;
  /** All addresses on the way, the first and the last included. */
  readonly chain: readonly string[];
  /** It redirects, and every redirect of the way is for good (301, 308). */
  readonly permanent: boolean;
  readonly looks: readonly ExternalLook[];
  /** Why the verdict is what it is, in a few words; null where the status says it. */
  readonly detail: string | null;
}
