/**
 * The border to the browser: the JSON that a page script may send home. `browsers/inpage` implements these types,
 * `render/isolated-world.ts` validates what arrives, for it may have been made by a hostile page.
 */

/** What a document says of itself. Strings are cut in the page already, see the limits in render/page-limits.ts. */
export interface DocumentFacts {
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  /** As written; not resolved. */
  readonly canonical: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Content of every meta robots, split at commas, lower case. */
  readonly robots: readonly string[];
  /** decodedBodySize of the navigation. */
  readonly bytes: number;
  /** Milliseconds of the page's own clock when the facts were taken. */
  readonly pageClock: number;
}
