/**
 * Knowledge of a crawl about URL parameters: which ones change nothing, on which pages (core/folding/parameter-table.ts). It is kept in Redis,
 * so that it survives when a crawl is killed and resumed.
 */
import type { SeenPage } from '../core/folding/parameter-table.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';

/** The reason why a URL need not be visited. */
export interface Fold {
  /** Id of the knowledge behind the fold: if it proves wrong, all URLs with this id are queued together. */
  readonly id: string;
  /** The rule in words. */
  readonly rule: string;
}

/** A family of pages with parameters that change nothing. */
export interface FoldedFamily {
  /** Host and URL pattern. */
  readonly pattern: string;
  /** Names of the parameters that change nothing. */
  readonly parameters: readonly string[];
  /** Some route parameters of it name places within a page. */
  readonly hasPlaces: boolean;
  /** Number of visits with the same content as another one. */
  readonly compared: number;
  /** End of the rules of its folds. */
  readonly ruleEnd: string;
}

export interface ParameterMemory {
  /** Learns from a visited page. @param rendered pages are compared only with pages read in the same way */
  learn(page: SeenPage & { readonly rendered: boolean }): Promise<void>;
  /** For each URL, in order, the reason why it need not be visited; null where it must be. */
  foldsOf(urls: readonly CanonicalUrl[]): Promise<readonly (Fold | null)[]>;
  /** Ids of folds that proved wrong and whose URLs are not queued yet. */
  undone(): Promise<readonly string[]>;
  /** Reports that the URLs of a fold are queued. */
  takenBack(id: string): Promise<void>;
  foldedFamilies(): Promise<readonly FoldedFamily[]>;
}
