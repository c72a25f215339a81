/**
 * Interface to the browser: the JSON that a page script may send back. `browsers/inpage` implements these types, and
 * `render/page/isolated-world.ts` validates each message, because a hostile page may have made it.
 */
import type { RawLinkKind } from './link-kinds.ts';

/** Facts of a document about itself. The page script already cuts strings, see the limits in render/page-limits.ts. */
export interface DocumentFacts {
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  /** As written; not resolved. */
  readonly canonical: string | null;
  readonly lang: string | null;
  readonly h1: readonly string[];
  /** Content of every meta robots element, split at commas, lower case. */
  readonly robots: readonly string[];
  /** decodedBodySize of the navigation. */
  readonly bytes: number;
  /** Milliseconds of the page's own clock since its document began. */
  readonly pageClock: number;
  /** Number of characters of the cookies that its scripts can read. */
  readonly cookies: number;
  /** Media type as the browser took it (the answer's may be missing or wrong): `text/html`. */
  readonly contentType: string;
  /** Is the document still loading? */
  readonly parsing: boolean;
  /** Does it run scripts or load lazily? Then frames and scrolling may add content. */
  readonly scripted: boolean;
  /** Does it show more than text: pictures, frames, controls, links? */
  readonly shows: boolean;
  readonly activity: ActivityCounters;
}

/** Counts of activity that neither timers nor requests cause; they only rise. */
export interface ActivityCounters {
  /** Number of calls of `requestAnimationFrame`. */
  readonly frames: number;
  readonly idles: number;
  /** Number of running animations and transitions that will end; a transition between two views was ended, and changes the page soon after. */
  readonly animations: number;
}

/** State of a document at one moment, to compare with another. */
export interface ActivitySample extends ActivityCounters {
  /** Requested idle callbacks have not run yet. */
  readonly idling: boolean;
  readonly nodes: number;
  readonly links: number;
  /** Total length of all link targets: it shows most changes of a target. */
  readonly letters: number;
}

/** A link as the page script reports it. */
export interface RawLink {
  readonly href: string;
  /** Its base URL; left out where it is the current base of its frame. */
  readonly base?: string;
  /** The URL as the browser resolves it; left out where `href` and the base give the same. */
  readonly resolved?: string;
  readonly kind: RawLinkKind;
  /** Left out where it is high. */
  readonly confidence?: 'low';
  readonly context: string;
  readonly text: string;
  /** The attribute as written. */
  readonly rel: string;
  /** Its fragment names no place in its document: it is a route where a router listens. */
  readonly nowhere?: true | undefined;
}

export interface LinkList {
  readonly kept: readonly RawLink[];
  /** Number of links before the cut. */
  readonly total: number;
}

/** How a document asked for another address. */
export const NAVIGATION_WAYS = [
  'pushState',
  'replaceState',
  'hashchange',
  'location',
  'click',
  'form',
  'post',
  'download',
] as const;

export interface RecordedNavigation {
  readonly how: (typeof NAVIGATION_WAYS)[number];
  readonly url: string;
  /** As of a {@link RawLink}. */
  readonly nowhere?: true | undefined;
}

export interface NavigationRecord {
  readonly kept: readonly RecordedNavigation[];
  readonly total: number;
}

/** Further links that a user asked for: an attribute of every element that matches a selector. */
export interface SelectedLinks {
  readonly selector: string;
  readonly attribute: string;
}

/** Input of the collecting script: limits for links, and for characters of HTML and of text (0: none of it). */
export interface CollectInput {
  /** Also reads the rules of linked style sheets: needed where the answers to their requests are not observed. */
  readonly rules: boolean;
  readonly links: number;
  readonly select: readonly SelectedLinks[];
  /** Has the page been used? Then its inert parts may show pieces of other pages. */
  readonly used?: boolean;
  readonly html: number;
  readonly text: number;
  /** When to test if the page can be scrolled. The test is costly on a large page: `scripted` runs it only on pages with scripts. */
  readonly scrolls: 'never' | 'scripted' | 'always';
}

/** References that the document is to resolve. */
export interface ResolveInput {
  readonly hrefs: readonly string[];
}

/** Result of the collecting script for one frame. */
export interface FrameCollection {
  readonly facts: DocumentFacts;
  /** Base URL of the document. */
  readonly base: string;
  readonly links: LinkList;
  /**
   * Number of nodes in the light tree and in open shadow trees that a search for `<` finds: elements, and texts and comments that
   * contain one.
   */
  readonly tags: number;
  /** Can the page or anything in it be scrolled? False where `scrolls` did not ask. */
  readonly scrolls: boolean;
  readonly navigations: NavigationRecord;
  readonly html: string | null;
  readonly text: string | null;
}
