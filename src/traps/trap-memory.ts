/**
 * The trap detector's memory of each host: the words that its pages have shown (core/fingerprint/content-sketch.ts), and its infinite URL
 * spaces. Pages that say nothing new are counted in groups, by their text and by their URL pattern. When a group is large,
 * one caller is told to send a soft-404 probe (core/traps/probe-url.ts), and the answer is kept for all later pages. A
 * folder or host with an infinite group gets a probe of its own: a page that resembles it is the site's answer to missing pages.
 *
 * Bounded per host: the words seen longest ago are forgotten first; groups beyond 2,048 are not counted.
 */
import type { ContentSketch } from '../core/fingerprint/content-sketch.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** The part of the address that the probe shares with the page: all but one part, the first folder, or only the host. */
export type ProbePlace = 'address' | 'folder' | 'host';

/** The state of a page's group. */
export type TrapStanding =
  | { readonly kind: 'none' }
  /** Only this caller sends a probe, and keeps the answer for this group. */
  | { readonly kind: 'probe'; readonly name: string; readonly of: ProbePlace }
  /** The site gives the same answer to every address like this; `rule` says so in words. */
  | { readonly kind: 'infinite'; readonly rule: string };

export interface Remembered {
  /** Does the page say, or show, anything new for its host? */
  readonly saysNew: boolean;
  readonly showsNew: boolean;
  readonly standing: TrapStanding;
}

/** An infinite URL space. */
export interface InfiniteSpace {
  /** Host and URL pattern of the page that the probe tested. */
  readonly pattern: string;
  readonly rule: string;
  /** Number of visited pages of the group. */
  readonly visited: number;
  /** URL of the probe. */
  readonly asked: string;
}

/** A page's attributes that decide its groups. */
export interface PagePlace {
  readonly host: HostKey;
  readonly pattern: string;
  /** First folder of the pattern; `/` where it has none. */
  readonly folder: string;
}

export type ProbeAnswer =
  | { readonly kind: 'finite' | 'unknown' }
  | { readonly kind: 'infinite'; readonly sketch: Pick<ContentSketch, 'words'> };

/** A probe without an answer yet, and the values to compare the answer with. */
export interface ProbeQuestion {
  /** The probe's URL. */
  readonly asked: string;
  /** Place of the page that the probe tests. */
  readonly place: PagePlace;
  /** Name of the group that it tests. */
  readonly name: string;
  readonly of: ProbePlace;
  /** Words of the sketch of that page. */
  readonly words: readonly number[];
  /** Hashes of the URLs that the page links to. */
  readonly named: readonly number[];
}

export interface TrapMemory {
  /** Compares a page with everything that its host has shown before, and remembers it. */
  recall(place: PagePlace, sketch: ContentSketch): Promise<Remembered>;
  /** Keeps the question of a probe, until its answer is kept. */
  keepQuestion(question: ProbeQuestion): Promise<void>;
  /** The question of a probe; null where there is none, or it has been answered. */
  questionOf(url: string): Promise<ProbeQuestion | null>;
  /** Keeps the answer to a group's probe. After `unknown`, a later caller is told to probe again. */
  keepAnswer(question: Pick<ProbeQuestion, 'asked' | 'place' | 'name'>, answer: ProbeAnswer): Promise<void>;
  /** All infinite spaces found, in no order. */
  infiniteSpaces(): Promise<readonly InfiniteSpace[]>;
}
