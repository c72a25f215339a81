/**
 * The text that a reader would see, as far as it can be told without style sheets: what HTML itself hides is left out, and
 * lines break where its elements do.
 */
import type { HtmlElement, HtmlNode } from './tree.ts';

/** Never shown, or not as text (HTML Standard, section 15.3). */
const UNSEEN: ReadonlySet<string> = new Set(
  'head title script style template noscript noembed noframes iframe object audio video canvas textarea datalist rp area base link meta param source track input img svg math'.split(
    ' ',
  ),
);
const BLOCKS: ReadonlySet<string> = new Set(
  'html body address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol option optgroup p plaintext pre search section summary table caption tbody thead tfoot tr ul xmp'.split(
    ' ',
  ),
);
const PRE: ReadonlySet<string> = new Set(['pre', 'listing', 'xmp', 'plaintext']);

/** @param limit characters that are kept */
export function visibleText(nodes: readonly HtmlNode[], limit: number): string {
  const writer = new Writer(limit);
  writer.nodes(nodes, false);
  return writer.text;
}

class Writer {
  #text = '';
  /** Whether nothing stands on the line yet. The text itself is not asked: it is put together when it is read. */
  #lineBegins = true;
  /** What stands between what was written and what comes: nothing, a space, a tab, a line, a paragraph. */
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
    if (namespace !== 'html' && name !== 'svg') return this.nodes(children, false);
    if (name === 'br') return this.#break();
    if (name === 'td' || name === 'th') this.#apart(this.#gap === '' && this.#text !== '' ? '\t' : '');
    const block = BLOCKS.has(name);
    if (block) this.#apart(name === 'p' ? '\n\n' : '\n');
    this.nodes(children, preformatted || PRE.has(name) || attributes.get('style')?.includes('pre-') === true);
    if (block) this.#apart(name === 'p' ? '\n\n' : '\n');
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
    const text = preformatted ? data : data.replaceAll(/[ \t\n\f]+/g, ' ');
    const words = preformatted ? text : text.replace(/^ /, '');
    if (words.length < text.length && this.#gap === '') this.#gap = ' ';
    const kept = preformatted ? words : words.replace(/ $/, '');
    if (kept === '') return;
    this.#text += (this.#lineBegins && this.#gap.trim() === '' && this.#gap !== '\n\n' ? '' : this.#gap) + kept;
    this.#lineBegins = kept.endsWith('\n');
    this.#gap = kept.length < words.length ? ' ' : '';
  }
}

function isHidden({ name, attributes }: HtmlElement): boolean {
  if (attributes.has('hidden') && attributes.get('hidden')?.toLowerCase() !== 'until-found') return true;
  if (name === 'dialog' && !attributes.has('open')) return true;
  return /(?:^|;)\s*display\s*:\s*none\b/i.test(attributes.get('style') ?? '');
}
