/** The links of the composed tree of one document: light tree and open shadow trees. Closed ones the renderer reads. */
import type { LinkList, RawLink } from '../../src/model/page-facts.ts';
import { resolver } from './resolve-links.ts';
import {
  attribute,
  folded,
  localNameOf,
  namespaceOf,
  select,
  shadowRootOf,
  textContentOf,
  xlinkHref,
} from './safe-dom.ts';

const SVG = 'http://www.w3.org/2000/svg';
const TEXT_LENGTH = 200;
const HREF_LENGTH = 8192;
/** Elements looked at; a document of more is read up to here. */
const ELEMENTS = 2_000_000;

export interface Composed {
  readonly list: LinkList;
  readonly shadowRoots: readonly ShadowRoot[];
}

export function collectLinks(limit: number): Composed {
  const kept: RawLink[] = [];
  const shadowRoots: ShadowRoot[] = [];
  let total = 0;
  let looked = 0;
  const resolve = resolver();
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.shift(); root !== undefined; root = roots.shift()) {
    const elements = select(root, '*');
    const { length } = elements;
    for (let index = 0; index < length && looked < ELEMENTS; index++, looked++) {
      const element = elements[index];
      if (element === undefined) continue;
      const shadow = shadowRootOf(element);
      if (shadow !== null) {
        roots.push(shadow);
        shadowRoots.push(shadow);
      }
      const link = linkOf(element);
      if (link === null) continue;
      total += 1;
      if (kept.length >= limit) continue;
      const resolved = resolve(link.href);
      kept.push(resolved === null ? link : { ...link, resolved });
    }
  }
  return { list: { kept, total }, shadowRoots };
}

function linkOf(element: Element): RawLink | null {
  switch (localNameOf(element)) {
    case 'a':
      return anchor(element);
    case 'area':
      return made(element, 'area', 'href', () => attribute(element, 'alt') ?? '');
    case 'link':
      return made(element, 'link-element', 'href', () => attribute(element, 'title') ?? '');
    case 'iframe':
    case 'frame':
      return made(element, 'frame', 'src', () => attribute(element, 'title') ?? '');
    case 'form':
      return (attribute(element, 'method') ?? 'get').trim().toLowerCase() === 'get'
        ? made(element, 'form', 'action', () => '')
        : null;
    case 'meta':
      return refresh(element);
    default:
      return null;
  }
}

function made(element: Element, kind: RawLink['kind'], name: string, text: () => string): RawLink | null {
  const href = attribute(element, name);
  if (href === null || (kind !== 'anchor' && href.trim() === '')) return null;
  return {
    href: href.slice(0, HREF_LENGTH),
    kind,
    context: `${localNameOf(element)}/@${name}`,
    text: folded(text(), TEXT_LENGTH),
    rel: (attribute(element, 'rel') ?? '').slice(0, TEXT_LENGTH),
  };
}

function anchor(element: Element): RawLink | null {
  if (namespaceOf(element) !== SVG) return made(element, 'anchor', 'href', () => nameOf(element));
  const plain = attribute(element, 'href');
  const href = plain ?? xlinkHref(element);
  if (href === null) return null;
  const context = plain === null ? 'svg:a/@xlink:href' : 'svg:a/@href';
  const text = folded(textContentOf(element) ?? '', TEXT_LENGTH);
  return { href: href.slice(0, HREF_LENGTH), kind: 'anchor', context, text, rel: '' };
}

/** What the link is called: its text, or what stands for it. */
function nameOf(element: Element): string {
  const text = textContentOf(element) ?? '';
  if (/\S/.test(text)) return text;
  const picture = select(element, 'img[alt]')[0];
  return (
    attribute(element, 'aria-label') ?? (picture && attribute(picture, 'alt')) ?? attribute(element, 'title') ?? ''
  );
}

function refresh(element: Element): RawLink | null {
  if ((attribute(element, 'http-equiv') ?? '').trim().toLowerCase() !== 'refresh') return null;
  const content = (attribute(element, 'content') ?? '').slice(0, HREF_LENGTH);
  const target = /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content)?.[1]?.trim() ?? '';
  const quote = target[0] === '"' || target[0] === "'" ? target[0] : null;
  const href = quote === null ? target : (target.slice(1).split(quote, 1)[0] ?? '');
  if (href === '') return null;
  return { href, kind: 'meta-refresh', context: 'meta/@content', text: '', rel: '' };
}
