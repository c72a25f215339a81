/** From what the page scripts send home to found links, the words of the pipeline. Pure. */
import type { LinkKind } from '../../model/link-kinds.ts';
import type { LinkConfidence, FoundLink, LinkStage } from '../../model/link.ts';
import type { FrameCollection, RawLink, RecordedNavigation } from '../../model/page-facts.ts';

/** Where a frame's links were found. */
export interface FoundIn {
  /** URL of the frame; null for the page itself. */
  readonly frame: string | null;
  readonly base: string;
  readonly stage: LinkStage;
}

const NAVIGATIONS: Readonly<Record<RecordedNavigation['how'], { readonly kind: LinkKind; readonly context: string }>> =
  {
    pushState: { kind: 'history', context: 'history.pushState' },
    replaceState: { kind: 'history', context: 'history.replaceState' },
    hashchange: { kind: 'history', context: 'hashchange' },
    location: { kind: 'navigation', context: 'location' },
    click: { kind: 'navigation', context: 'click()' },
    form: { kind: 'form', context: 'submit()' },
    post: { kind: 'form', context: 'submit() POST' },
    download: { kind: 'navigation', context: 'download' },
  };

export function foundLinkOf(link: RawLink, { base, stage, frame }: FoundIn): FoundLink {
  const { href, resolved = null, kind, confidence = 'high', context, text } = link;
  const rel = link.rel === '' ? [] : link.rel.toLowerCase().split(/\s+/).filter(Boolean);
  return { href, base, resolved, kind, confidence, context, stage, frame, text, rel };
}

/** A URL that the page asked for by itself: absolute, without text. */
export function bareLink(
  href: string,
  how: { readonly kind: LinkKind; readonly context: string; readonly confidence?: LinkConfidence },
  where: FoundIn,
): FoundLink {
  const { base, stage, frame } = where;
  const { kind, context, confidence = 'high' } = how;
  return { href, base, resolved: null, kind, confidence, context, stage, frame, text: '', rel: [] };
}

/** All that one frame's collection says, links first. */
export function foundLinksOf(collection: FrameCollection, where: FoundIn): readonly FoundLink[] {
  return [
    ...collection.links.kept.map((link) => foundLinkOf(link, where)),
    ...collection.navigations.kept.map(({ how, url }) => bareLink(url, NAVIGATIONS[how], where)),
  ];
}

/** Tells a found link from others of the same page, whenever it was made. */
export function foundLinkKey({ href, base, kind, context, frame }: FoundLink): string {
  return [kind, context, href, base, frame ?? ''].join('\n');
}
