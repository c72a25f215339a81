/**
 * What a crawl has learnt of the parameters of URLs: which change nothing, on which pages (core/folding/parameter-table.ts). It lives in Redis,
 * so that a crawl which is killed and resumed knows it still.
 */
import type { SeenPage } from '../core/folding/parameter-table.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';

/** Why a URL need not be visited. */
export interface Fold {
  /** What it hangs on: the URLs of one id come back together where it proves wrong. */
  readonly id: string;
  /** In words. */
  readonly rule: string;
}

/** A family of pages of which some parameters change nothing. */
export interface FoldedFamily {
  /** Host and URL pattern. */
  readonly pattern: string;
  /** Their names, of those that change nothing. */
  readonly parameters: readonly string[];
  /** Parameters of its routes are names of places in their pages. */
  readonly hasPlaces: boolean;
  /** Visits that said the same as another one. */
  readonly compared: number;
  /** What the rules of its folds end with. */
  readonly ruleEnd: string;
}

export interface ParameterMemory {
  /** Learns from a page that was visited. @param rendered pages that were read in another way are not compared. */
  learn(page: SeenPage & { readonly rendered: boolean }): Promise<void>;
  /** Of each URL why it need not be visited; null where it must be. In their order. */
  foldsOf(urls: readonly CanonicalUrl[]): Promise<readonly (Fold | null)[]>;
  /** Ids of folds that proved wrong and are not taken back yet. */
  undone(): Promise<readonly string[]>;
  /** The URLs of a fold are back. */
  takenBack(id: string): Promise<void>;
  foldedFamilies(): Promise<readonly FoldedFamily[]>;
}
