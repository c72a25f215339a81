/**
 * What a host's pages have said (core/fingerprint/content-sketch.ts), and which of them have no end. Pages that say nothing new are counted
 * by what they say and by their URL pattern, each a *kind*; when there are many of one, somebody is told to ask for a probe
 * (core/traps/probe-url.ts), and what came of that is kept for all that come later. Where a kind of a folder, or of the host,
 * has no end, a probe of the folder or the host is asked for: whatever is like it is what the site says for what is not there.
 *
 * Bounded for each host: words are forgotten in the order in which they were last said, kinds beyond 2,048 are not counted.
 */
import type { ContentSketch } from '../core/fingerprint/content-sketch.ts';
import type { HostKey } from '../model/url/host-key.ts';

/** Where a probe is to be like the page: in all but a part of its address, in its first folder, or in its host only. */
export type ProbePlace = 'address' | 'folder' | 'host';

/** What is known of a page's kind. */
export type KindStanding =
  | { readonly kind: 'plain' }
  /** The caller, and nobody else, is to ask for a probe, and to keep the answer for this kind. */
  | { readonly kind: 'ask'; readonly name: string; readonly of: ProbePlace }
  /** Whatever is asked for is answered like this; `rule` says so in words. */
  | { readonly kind: 'endless'; readonly rule: string };

export interface Remembered {
  /** Whether the page said, or showed, what no page of its host had. */
  readonly saysNew: boolean;
  readonly showsNew: boolean;
  readonly standing: KindStanding;
}

/** Pages that a site has without end. */
export interface EndlessKind {
  /** Host and URL pattern of the page that was looked at. */
  readonly pattern: string;
  readonly rule: string;
  /** Pages of the kind that were visited. */
  readonly visited: number;
  /** The probe. */
  readonly asked: string;
}

/** Where a page stands. */
export interface PagePlace {
  readonly host: HostKey;
  readonly pattern: string;
  /** Of the pattern, the first one; `/` where there is none. */
  readonly folder: string;
}

export type ProbeAnswer =
  | { readonly kind: 'finite' | 'unknown' }
  | { readonly kind: 'endless'; readonly asked: string; readonly sketch: ContentSketch };

export interface TrapMemory {
  /** Compares a page with what its host has said, and adds to that. */
  recall(place: PagePlace, sketch: ContentSketch): Promise<Remembered>;
  /** Keeps what asking for a probe of a kind came to; `unknown` where no answer came: later somebody is told to ask again. */
  keepAnswer(place: PagePlace, name: string, answer: ProbeAnswer): Promise<void>;
  /** All that were found, in no order. */
  endless(): Promise<readonly EndlessKind[]>;
}
