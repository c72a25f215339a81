/**
 * The trap detector's memory of each host: which words its pages have shown (core/fingerprint/content-sketch.ts), and which of its URL
 * spaces are infinite. Pages that say nothing new are counted in groups, by their text and by their URL pattern. When a group has
 * many, one caller gets the order to send a soft-404 probe (core/traps/probe-url.ts), and the answer is kept for all later pages. Once a
 * folder or host has an infinite group, it gets a probe of its own: a page that resembles it is the site's answer to missing pages.
 *
 * Bounded for each host: words are forgotten in the order in which they were last seen; groups beyond 2,048 are not counted.
 */
import type { ContentSketch } from '../core/fingerprint/content-sketch.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** The address that the probe shares with the page: all but one part, the first folder, or only the host. */
export type ProbePlace = 'address' | 'folder' | 'host';

/** The state of a page's group. */
export type TrapStanding =
  | { readonly kind: 'none' }
  /** The caller alone is to send a probe, and to keep the answer for this group. */
  | { readonly kind: 'probe'; readonly name: string; readonly of: ProbePlace }
  /** The site gives the same answer to every address like this; `rule` says so in words. */
  | { readonly kind: 'infinite'; readonly rule: string };

export interface Remembered {
  /** Does the page say, or show, anything that no page of its host had? */
  readonly saysNew: boolean;
  readonly showsNew: boolean;
  readonly standing: TrapStanding;
}

/** A space of URLs without end. */
export interface InfiniteSpace {
  /** Host and URL pattern of the page that was looked at. */
  readonly pattern: string;
  readonly rule: string;
  /** Pages of the group that were visited. */
  readonly visited: number;
  /** The probe. */
  readonly asked: string;
}

/** The place of a page among the groups. */
export interface PagePlace {
  readonly host: HostKey;
  readonly pattern: string;
  /** Of the pattern, the first one; `/` where there is none. */
  readonly folder: string;
}

export type ProbeAnswer =
  | { readonly kind: 'finite' | 'unknown' }
  | { readonly kind: 'infinite'; readonly sketch: Pick<ContentSketch, 'words'> };

/** A probe on its way, and the values with which its answer is compared. */
export interface ProbeQuestion {
  /** The probe's URL. */
  readonly asked: string;
  /** Of the page that it was made beside. */
  readonly place: PagePlace;
  /** The group that it was sent for. */
  readonly name: string;
  readonly of: ProbePlace;
  /** Words of that page's sketch. */
  readonly words: readonly number[];
  /** Hashes of the URLs that the page names. */
  readonly named: readonly number[];
}

export interface TrapMemory {
  /** Compares a page with what its host has shown before, and remembers it. */
  recall(place: PagePlace, sketch: ContentSketch): Promise<Remembered>;
  /** Keeps the question of a probe, until its answer is kept. */
  keepQuestion(question: ProbeQuestion): Promise<void>;
  /** The question of a probe; null where there is none, or it has been answered. */
  questionOf(url: string): Promise<ProbeQuestion | null>;
  /** Keeps the answer to a group's probe. After `unknown`, a later caller gets the order to probe again. */
  keepAnswer(question: Pick<ProbeQuestion, 'asked' | 'place' | 'name'>, answer: ProbeAnswer): Promise<void>;
  /** All infinite spaces that were found, in no order. */
  infiniteSpaces(): Promise<readonly InfiniteSpace[]>;
}
