/** Facts of a document about itself: the same that browsers/inpage/collect-facts.ts reads in a browser. */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { DocumentFacts } from '../../model/page-facts.ts';
import { metaDirectives } from './meta-robots.ts';
import { textOf, type HtmlElement, type HtmlTree } from './tree.ts';

type HtmlFacts = Pick<DocumentFacts, 'title' | 'description' | 'canonical' | 'lang' | 'h1' | 'robots'> & {
  /** The base of its references. */
  readonly base: string;
};

const LINE = 1000;
const URL_LENGTH = 8192;
const HEADINGS = 50;
/** Nodes of a heading that are read: headings may be nested. */
const HEADING_NODES = 10_000;
const DIRECTIVES = 50;
/** Meta elements that are searched for directives to robots. */
const METAS = 200;

/**
 * @param elements those of the document itself: none of templates or noscript
 * @param url of the document
 */
export function factsOf(tree: HtmlTree, elements: readonly HtmlElement[], url: string): HtmlFacts {
  const byName = factElements(elements);
  const named = (name: FactName): readonly HtmlElement[] => byName.get(name) ?? [];
  const metas = named('meta');
  const isNamed = (meta: HtmlElement, name: string): boolean => meta.attributes.get('name')?.toLowerCase() === name;
  const title = named('title')[0];
  const description = metas.find((meta) => isNamed(meta, 'description'))?.attributes.get('content');
  const canonical = named('link').find(
    ({ attributes }) => attributes.has('href') && tokens(attributes.get('rel')).includes('canonical'),
  );
  const root = tree.top.find((node) => node.kind === 'element');
  return {
    title: title === undefined ? '' : foldedText(textOf(title), LINE),
    description: description === undefined ? null : foldedText(description, LINE),
    canonical: canonical?.attributes.get('href')?.trim().slice(0, URL_LENGTH) ?? null,
    lang: root?.name === 'html' ? (root.attributes.get('lang')?.slice(0, 100) ?? null) : null,
    h1: named('h1')
      .slice(0, HEADINGS)
      .map((element) => foldedText(textOf(element, HEADING_NODES), LINE))
      .filter((text) => text !== ''),
    robots: metas
      .filter(({ attributes }) => attributes.has('name') && attributes.has('content'))
      .slice(0, METAS)
      .flatMap(({ attributes }) =>
        metaDirectives(attributes.get('name') ?? '', (attributes.get('content') ?? '').slice(0, LINE)),
      )
      .slice(0, DIRECTIVES),
    base: baseOf(named('base'), url),
  };
}

/** Elements that state facts of their document. */
const FACT_NAMES = ['meta', 'title', 'link', 'h1', 'base'] as const;
type FactName = (typeof FACT_NAMES)[number];

/** Finds them in one pass: a document has thousands of other elements. */
function factElements(elements: readonly HtmlElement[]): ReadonlyMap<string, readonly HtmlElement[]> {
  const found = new Map<string, HtmlElement[]>(FACT_NAMES.map((name) => [name, []]));
  for (const element of elements) if (element.namespace === 'html') found.get(element.name)?.push(element);
  return found;
}

/** The first `base` with an address counts, and only where that is one of the web. */
function baseOf(bases: readonly HtmlElement[], url: string): string {
  const href = bases.find(({ attributes }) => attributes.has('href'))?.attributes.get('href');
  const base = href === undefined ? null : parsedUrl(href, url);
  if (base === null) return url;
  return base.protocol === 'data:' || base.protocol === 'javascript:' ? url : base.href;
}

function tokens(value: string | undefined): readonly string[] {
  return (value ?? '').toLowerCase().split(/\s+/);
}

/** White space folded and cut. */
export function foldedText(text: string, limit: number): string {
  if (!/\s/.test(text)) return text.slice(0, limit); // the names of most links are one word
  return text
    .slice(0, limit * 8)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, limit);
}
