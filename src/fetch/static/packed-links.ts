/**
 * Found links as they pass from one thread to another. A clone of 1,800 objects writes and reads the names of their properties, their base and their
 * kind 1,800 times, and the reader has 1,800 copies of each text; so what links have in common passes once, and is one text for all of them.
 */
import type { FoundLink } from '../../model/link.ts';

type Common = Omit<FoundLink, 'href' | 'text'>;

export interface PackedLinks {
  readonly hrefs: readonly string[];
  readonly texts: readonly string[];
  /** What links have in common, each once. */
  readonly commons: readonly Common[];
  /** Of each link the place among those. */
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

/** The same links, in the same order. */
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

/** Most links of a document are like the one before. */
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
