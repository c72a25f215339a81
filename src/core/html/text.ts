/**
 * The text that a reader would see, as far as it can be known without style sheets: elements that HTML itself hides are left out, and
 * lines break where its elements do.
 */
import { textOf, type HtmlElement, type HtmlNode } from './tree.ts';

/** Never shown, or not as text (HTML Standard, section 15.3). */
const UNSEEN: ReadonlySet<string> = new Set(
  'head title script style template noscript noembed noframes iframe object audio video canvas textarea datalist rp area base link meta param source track input img'.split(
    ' ',
  ),
);
const SVG_UNSEEN: ReadonlySet<string> = new Set(['title', 'desc', 'metadata', 'defs', 'script', 'style', 'symbol']);
const BLOCKS: ReadonlySet<string> = new Set(
  'html body address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol option optgroup p plaintext pre search section summary table caption tbody thead tfoot tr ul xmp'.split(
    ' ',
  ),
);
const PRE: ReadonlySet<string> = new Set(['pre', 'listing', 'xmp', 'plaintext']);

/** White space that is folded into one space; most text has none. */
const GAP = /[\t\n\f]| {2}/;
const GAPS = /[ \t\n\f]+/g;

/** @param limit characters that are kept */
export function visibleText(nodes: readonly HtmlNode[], limit: number): string {
  const writer = new Writer(limit);
  writer.nodes(nodes, false);
  return writer.text;
}

class Writer {
  #text = '';
  /** Is the line still empty? Kept apart, because the text is joined only when it is read. */
  #lineBegins = true;
  /** The gap between the text so far and the next: nothing, a space, a tab, a line, a paragraph. */
  #gap: '' | ' ' | '\t' | '\n' | '\n\n' = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return this.#text.slice(0, this.#limit);
  }

  nodes(nodes: readonly HtmlNode[], preformatted: boolean): void {
    for (const node of nodes) {
      if (this.#text.length >= this.#limit) return;
      if (node.kind === 'element') this.#element(node, preformatted);
      else if (node.kind === 'text') this.#write(node.data, preformatted);
    }
  }

  #element(element: HtmlElement, preformatted: boolean): void {
    const { name, namespace, attributes, children } = element;
    if (namespace === 'html' && (UNSEEN.has(name) || isHidden(element))) return;
    if (namespace === 'svg') return this.#drawing(element);
    if (namespace === 'math') return this.#formula(children);
    if (name === 'br') return this.#break();
    if (name === 'td' || name === 'th') this.#apart(this.#gap === '' && this.#text !== '' ? '\t' : '');
    const block = BLOCKS.has(name);
    if (block) this.#apart(name === 'p' ? '\n\n' : '\n');
    this.nodes(children, preformatted || PRE.has(name) || attributes.get('style')?.includes('pre-') === true);
    if (block) this.#apart(name === 'p' ? '\n\n' : '\n');
  }

  /** Takes only the text elements of a drawing, and HTML inside it. */
  #drawing({ name, children }: HtmlElement): void {
    if (name === 'text') return this.#write(textOf({ children }), false);
    if (name === 'foreignObject') return this.nodes(children, false);
    if (SVG_UNSEEN.has(name)) return;
    this.nodes(
      children.filter(({ kind }) => kind === 'element'),
      false,
    );
  }

  /** A formula stands on lines of its own. */
  #formula(children: readonly HtmlNode[]): void {
    this.#apart('\n');
    this.nodes(children, false);
    this.#apart('\n');
  }

  #break(): void {
    this.#text += '\n';
    this.#lineBegins = true;
    this.#gap = '';
  }

  #apart(gap: '' | '\t' | '\n' | '\n\n'): void {
    if (gap.length > this.#gap.length || this.#gap === ' ') this.#gap = gap === '' ? this.#gap : gap;
  }

  #write(data: string, preformatted: boolean): void {
    const text = preformatted || !GAP.test(data) ? data : data.replaceAll(GAPS, ' ');
    const words = preformatted || !text.startsWith(' ') ? text : text.slice(1);
    if (words.length < text.length && this.#gap === '') this.#gap = ' ';
    const kept = preformatted || !words.endsWith(' ') ? words : words.slice(0, -1);
    if (kept === '') return;
    this.#text += (this.#lineBegins && this.#gap.trim() === '' && this.#gap !== '\n\n' ? '' : this.#gap) + kept;
    this.#lineBegins = kept.endsWith('\n');
    this.#gap = kept.length < words.length ? ' ' : '';
  }
}

function isHidden({ name, attributes }: HtmlElement): boolean {
  if (attributes.names.length === 0) return name === 'dialog';
  if (attributes.has('hidden') && attributes.get('hidden')?.toLowerCase() !== 'until-found') return true;
  if (name === 'dialog' && !attributes.has('open')) return true;
  const style = attributes.get('style');
  return style !== undefined && /(?:^|;)\s*display\s*:\s*none\b/i.test(style);
}
