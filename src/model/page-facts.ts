/**
 * The border to the browser: the JSON that a page script may send home. `browsers/inpage` implements these types,
 * `render/page/isolated-world.ts` validates what arrives, for it may have been made by a hostile page.
 */
import type { RawLinkKind } from './link-kinds.ts';

/** Facts of a document about itself. Strings are cut in the page already, see the limits in render/page-limits.ts. */
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
  /** Milliseconds of the page's own clock since its document began. */
  readonly pageClock: number;
  /** Characters of the cookies that its scripts see. */
  readonly cookies: number;
  /** As the browser took it (a type may be missing or wrong in the answer): `text/html`. */
  readonly contentType: string;
  /** Is more of the document to come? */
  readonly parsing: boolean;
  /** Does it run scripts or load lazily, so that frames and scrolling may bring more? */
  readonly scripted: boolean;
  /** Is there anything to be seen but text: pictures, frames, controls, links? */
  readonly shows: boolean;
  readonly activity: ActivityCounters;
}

/** Counts of activity that neither timers nor requests bring; they only rise. */
export interface ActivityCounters {
  /** Animation frames asked for by `requestAnimationFrame`. */
  readonly frames: number;
  readonly idles: number;
  /** Animations and transitions that run now, and will end. */
  readonly animations: number;
}

/** A document at one moment, to be compared with another. */
export interface ActivitySample extends ActivityCounters {
  /** Idle callbacks that were asked for have not run yet. */
  readonly idling: boolean;
  readonly nodes: number;
  readonly links: number;
  /** Of all link targets together: changes where one changes. */
  readonly letters: number;
}

/** A link as the page script writes it down. */
export interface RawLink {
  readonly href: string;
  /** What it is relative to; left out where that is the base of its frame as it is now. */
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
  /** A fragment that is the name of no place in its document: where a router listens, it is a route. */
  readonly nowhere?: true | undefined;
}

export interface LinkList {
  readonly kept: readonly RawLink[];
  /** Links that were there, before the cut. */
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

/** Input of the collecting script: most links, and most characters of HTML and text (0: none of it). */
export interface CollectInput {
  /** Reads the rules of linked style sheets too: needed where the answers to their requests are not observed. */
  readonly rules: boolean;
  readonly links: number;
  readonly select: readonly SelectedLinks[];
  readonly html: number;
  readonly text: number;
  /** Whether to find out if the page can be scrolled. Costs much on a large page: `scripted`, only where it runs scripts. */
  readonly scrolls: 'never' | 'scripted' | 'always';
}

/** References to be resolved as their document does it. */
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
   * Nodes that a search for `<` finds in the light tree and in open shadow trees: elements, and texts and comments that hold
   * one.
   */
  readonly tags: number;
  /** Can the page or anything in it be scrolled? False where `scrolls` did not ask. */
  readonly scrolls: boolean;
  readonly navigations: NavigationRecord;
  readonly html: string | null;
  readonly text: string | null;
}
