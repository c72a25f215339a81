import { metaDirectives } from '../../src/core/html/meta-robots.ts';
import type { DocumentFacts } from '../../src/model/page-facts.ts';
import { activityCountersOf } from './activity.ts';
import { keptBase } from './kept-bases.ts';
import {
  assignedNodesOf,
  attribute,
  contentTypeOf,
  cookieOf,
  documentElementOf,
  folded,
  holds,
  readyStateOf,
  select,
  textContentOf,
  titleOf,
} from './safe-dom.ts';

/** Limits of a document's facts; src/render/page-limits.ts checks them again. */
const LINE = 1000;
const URL_LENGTH = 8192;
const HEADINGS = 50;
const DIRECTIVES = 50;
/** Meta elements that are searched for robots directives. */
const METAS = 200;
/** Elements that a reader sees without reading. */
const SHOWN =
  'img,picture,svg,canvas,video,audio,iframe,frame,object,embed,input,button,select,textarea,form,area[href],a[href]';

/** @param shadowRoots the shadow trees of the document */
export function collectFacts(shadowRoots: readonly ShadowRoot[]): DocumentFacts {
  const trees = [document, ...shadowRoots];
  const root = documentElementOf(document);
  const navigation = performance.getEntriesByType('navigation')[0];
  return {
    url: location.href.slice(0, URL_LENGTH),
    title: folded(titleOf(document), LINE),
    description: contentOf('meta[name="description" i]'),
    canonical: canonical(),
    lang: root === null ? null : (attribute(root, 'lang')?.slice(0, 100) ?? null),
    h1: headlines(trees),
    robots: list('meta[name][content]', METAS, (element) =>
      metaDirectives(attribute(element, 'name') ?? '', (attribute(element, 'content') ?? '').slice(0, LINE)),
    )
      .flat()
      .slice(0, DIRECTIVES),
    contentType: contentTypeOf(document),
    bytes: navigation instanceof PerformanceNavigationTiming ? navigation.decodedBodySize : 0,
    pageClock: pageClock(),
    cookies: cookieLength(),
    parsing: readyStateOf(document) === 'loading',
    scripted: isScripted(),
    shows: trees.some((tree) => holds(tree, SHOWN)),
    activity: activityCountersOf(),
  };
}

/**
 * `performance.now()` alone is wrong: a page that is kept runs through more virtual than real time, and the next
 * document's clock begins ahead by the difference.
 */
function pageClock(): number {
  const { domLoading } = performance.timing;
  return performance.now() - Math.max(0, domLoading - performance.timeOrigin);
}

/** Characters of the cookies that scripts see; 0 where the document may have none (a sandboxed one throws). */
function cookieLength(): number {
  try {
    return cookieOf(document).length;
  } catch {
    return 0;
  }
}

/** Does anything here run? Pages without scripts need no frames and no scrolling. */
function isScripted(): boolean {
  for (const script of select(document, 'script')) {
    const type = (attribute(script, 'type') ?? '').trim().toLowerCase();
    if (type === '' || type === 'module' || /(?:java|ecma)script/.test(type)) return true;
  }
  return select(document, '[onload],[onscroll],[loading="lazy"]').length > 0;
}

function list<Item>(selector: string, limit: number, read: (element: Element) => Item): Item[] {
  const found = select(document, selector);
  const texts: Item[] = [];
  for (let index = 0; index < found.length && index < limit; index++) {
    const element = found[index];
    if (element !== undefined) texts.push(read(element));
  }
  return texts;
}

/** Headlines of the document, then those of its shadow trees. */
function headlines(trees: readonly (Document | ShadowRoot)[]): string[] {
  const texts: string[] = [];
  for (const tree of trees) {
    if (texts.length >= HEADINGS) break;
    for (const headline of Array.from(select(tree, 'h1')).slice(0, HEADINGS))
      texts.push(folded(wordsOf(headline), LINE));
  }
  return texts.filter((text) => text !== '').slice(0, HEADINGS);
}

/** The text of an element; of its slots, what stands in them. */
function wordsOf(element: Element): string {
  const slots = Array.from(select(element, 'slot')).filter((slot) => slot instanceof HTMLSlotElement);
  const assigned = slots.flatMap(assignedNodesOf).map((node) => textContentOf(node) ?? '');
  return assigned.length > 0 ? assigned.join(' ') : (textContentOf(element) ?? '');
}

function first(selector: string, name: string, limit: number): string | null {
  const element = select(document, selector)[0];
  return element === undefined ? null : (attribute(element, name)?.trim().slice(0, limit) ?? null);
}

/** The canonical address as written; absolute where it was written under another address than the document has now. */
function canonical(): string | null {
  const element = select(document, 'link[rel~="canonical" i][href]')[0];
  if (element === undefined) return null;
  const href = attribute(element, 'href')?.trim().slice(0, URL_LENGTH) ?? '';
  const base = keptBase(element);
  return base === null || !URL.canParse(href, base) ? href : new URL(href, base).href.slice(0, URL_LENGTH);
}

function contentOf(selector: string): string | null {
  const content = first(selector, 'content', LINE * 8);
  return content === null ? null : folded(content, LINE);
}
