/** Turns the reports of page scripts into found links, the pipeline's form. Pure. */
import { hash64 } from '../../base/hash.ts';
import type { SourceReference } from '../../core/links/markup/dropped-markup.ts';
import { relTokens } from '../../core/links/page-link.ts';
import type { LinkKind } from '../../model/link-kinds.ts';
import type { LinkConfidence, FoundLink, LinkStage } from '../../model/link.ts';
import type { FrameCollection, RawLink, RecordedNavigation } from '../../model/page-facts.ts';

/** The place where a frame's links were found. */
export interface FoundIn {
  /** URL of the frame; null for the page itself. */
  readonly frame: string | null;
  readonly base: string;
  readonly stage: LinkStage;
  /** Does a script listen for changes of the fragment? Then a fragment that names no place in the document is a route. */
  readonly listens?: boolean;
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

export function foundLinkOf(link: RawLink, where: FoundIn): FoundLink {
  const { base, stage, frame } = where;
  const { href, resolved = null, kind, confidence = 'high', context, text } = link;
  const rel = link.rel === '' ? [] : relTokens(link.rel);
  const own: FoundLink = {
    href,
    base: link.base ?? base,
    resolved,
    kind,
    confidence,
    context,
    stage,
    frame,
    text,
    rel,
  };
  return asRoute(own, link, where);
}

/** A fragment that leads nowhere in its document is a speculative link where something listens to it. */
function asRoute(foundLink: FoundLink, { nowhere }: Pick<RawLink, 'nowhere'>, { listens = false }: FoundIn): FoundLink {
  return nowhere === true && listens ? { ...foundLink, confidence: 'low', isRoute: true } : foundLink;
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

/** A reference in the bytes of a document that stands in no node of it. */
export function droppedLink({ href, rel }: SourceReference, where: FoundIn): FoundLink {
  const link = { href, kind: 'text', context: 'dropped markup', text: '', rel, confidence: 'low' } as const;
  return foundLinkOf(link, where);
}

/** All links of one frame's collection, those of its elements first. */
export function foundLinksOf(collection: FrameCollection, where: FoundIn): readonly FoundLink[] {
  return [
    ...collection.links.kept.map((link) => foundLinkOf(link, where)),
    ...collection.navigations.kept.map((asked) =>
      asRoute(bareLink(asked.url, NAVIGATIONS[asked.how], where), asked, where),
    ),
  ];
}

/** A longer href stands in a key by its hash: a page's links are several megabytes, and keys of them are made five times in a visit. */
const KEY_HREF_LENGTH = 256;

/** Distinguishes a found link from others of the same page, at any time: also when a script or a fragment has changed the page's address. */
export function foundLinkKey({ href, base, kind, context, frame }: FoundLink): string {
  const name = href.length > KEY_HREF_LENGTH ? hash64(href) : href;
  return [kind, context, name, reliedOn(base, href), frame ?? ''].join('\n');
}

/** As much of the base as the target depends on. */
function reliedOn(base: string, href: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(href)) return '';
  if (href.startsWith('/')) return /^[^/?#]*\/\/[^/?#]*/.exec(base)?.[0] ?? base;
  const fragment = base.indexOf('#');
  return fragment === -1 ? base : base.slice(0, fragment);
}
