/**
 * Found links in the form for transfer between threads. A structured clone of 1,800 objects writes and reads their property names, base and
 * kind 1,800 times, and leaves 1,800 copies of each text; so common fields are sent once, and shared by all links.
 */
import type { FoundLink } from '../../model/link.ts';

type Common = Omit<FoundLink, 'href' | 'text'>;

export interface PackedLinks {
  readonly hrefs: readonly string[];
  readonly texts: readonly string[];
  /** Distinct sets of common fields. */
  readonly commons: readonly Common[];
  /** Index into `commons` for each link. */
  readonly places: Uint32Array;
}

export function packLinks(links: readonly FoundLink[]): PackedLinks {
  const commons: Common[] = [];
  const known = new Map<string, number>();
  const places = new Uint32Array(links.length);
  let last: FoundLink | null = null;
  let place = 0;
  for (const [index, link] of links.entries()) {
    if (last === null || !isLike(last, link)) {
      const { href: _href, text: _text, ...common } = link;
      const key = JSON.stringify(common);
      const before = known.get(key);
      place = before ?? commons.push(common) - 1;
      if (before === undefined) known.set(key, place);
    }
    places[index] = place;
    last = link;
  }
  return { hrefs: links.map(({ href }) => href), texts: links.map(({ text }) => text), commons, places };
}

/** Restores the same links, in the same order. */
export function unpackLinks({ hrefs, texts, commons, places }: PackedLinks): readonly FoundLink[] {
  return hrefs.map((href, index) => {
    const common = commons[places[index] ?? 0];
    if (common === undefined) throw new RangeError('not packed links');
    const { base, resolved, kind, confidence, context, stage, frame, rel, isRoute } = common;
    const text = texts[index] ?? '';
    const link: FoundLink = { href, base, resolved, kind, confidence, context, stage, frame, text, rel };
    return isRoute === undefined ? link : { ...link, isRoute };
  });
}

/** Do two links have equal common fields? Most links equal the one before. */
function isLike(one: FoundLink, other: FoundLink): boolean {
  return (
    one.base === other.base &&
    one.resolved === other.resolved &&
    one.kind === other.kind &&
    one.confidence === other.confidence &&
    one.context === other.context &&
    one.stage === other.stage &&
    one.frame === other.frame &&
    one.isRoute === other.isRoute &&
    one.rel.length === other.rel.length &&
    one.rel.every((token, index) => token === other.rel[index])
  );
}
