/** Lines of external.jsonl: result of the check of a link out of the site (docs/audit.md, "External links"). */

/**
 * - `ok`: it answers well; `redirected`: the target of its redirect answers well.
 * - `broken`: it does not exist, as two looks some time apart showed. Only this verdict fails an audit.
 * - `blocked`: it answers, but refuses this program; readers may see the page.
 * - `unsure`: the failure may be gone tomorrow, or concern only this program.
 * - `not-asked`: it was not checked; `detail` gives the reason.
 */
export const EXTERNAL_VERDICTS = ['ok', 'redirected', 'broken', 'blocked', 'unsure', 'not-asked'] as const;
export type ExternalVerdict = (typeof EXTERNAL_VERDICTS)[number];

/** Verdicts that do not show an earlier finding to be gone. */
export const UNCERTAIN_VERDICTS: ReadonlySet<string> = new Set<ExternalVerdict>(['blocked', 'unsure', 'not-asked']);

/** One request and its result. */
export interface ExternalLook {
  /** Time of its end, ISO 8601. */
  readonly time: string;
  /** `browser`: a browser opened it as a reader would. */
  readonly method: 'HEAD' | 'GET' | 'browser';
  /** Status of the last answer; null where there was none. */
  readonly status: number | null;
  /** Reason of its failure; null where it did not fail. */
  readonly detail: string | null;
}

export interface ExternalRecord {
  readonly url: string;
  readonly verdict: ExternalVerdict;
  /** Status of the last answer; null where there was none. */
  readonly status: number | null;
  /** All addresses of the redirect chain, including the first and the last. */
  readonly chain: readonly string[];
  /** It redirects, and every redirect of the chain is permanent (301, 308). */
  readonly permanent: boolean;
  readonly looks: readonly ExternalLook[];
  /** Reason of the verdict, in a few words; null where the status says it. */
  readonly detail: string | null;
}
