/**
 * The elements of an HTML document, as far as they can be had without a browser. htmlparser2 reads tags as HTML5 does, but
 * repairs no broken nesting; where the two may come to different trees, the document is called irregular.
 */
import { Parser } from 'htmlparser2';
import { htmlAttributes, type HtmlAttributes } from './attributes.ts';

type Namespace = 'html' | 'svg' | 'math';

export interface HtmlElement {
  readonly kind: 'element';
  /** Lower case; names of SVG as SVG writes them (`foreignObject`). */
  readonly name: string;
  readonly namespace: Namespace;
  readonly attributes: HtmlAttributes;
  readonly parent: HtmlElement | null;
  readonly children: readonly HtmlNode[];
}

interface HtmlText {
  readonly kind: 'text' | 'comment';
  readonly data: string;
}

export type HtmlNode = HtmlElement | HtmlText;

export interface HtmlTree {
  /** The nodes at the top: `html`, comments, and elements outside of it. */
  readonly top: readonly HtmlNode[];
  /** All elements in the order of their start tags; those in templates and in noscript too. */
  readonly elements: readonly HtmlElement[];
  readonly doctype: boolean;
  /** The first document type, as it is written; '' where there is none. */
  readonly declaration: string;
  /** Its nesting is broken: a browser repairs it, and its tree may be another. */
  readonly irregular: boolean;
  /** Reading was cut off: the document is too deep, or too large. */
  readonly cut: boolean;
}

/** Browsers nest no deeper than 512. Each further level would cost the parser more time. */
const DEPTH_LIMIT = 512;
const ELEMENT_LIMIT = 300_000;

interface Open {
  readonly kind: 'element';
  readonly name: string;
  readonly namespace: Namespace;
  readonly attributes: HtmlAttributes;
  readonly parent: Open | null;
  children: HtmlNode[];
}

/** Shared by all elements that have no child yet; nothing is ever added to it. */
const CHILDLESS: HtmlNode[] = [];

/** Stops the parser from within its handler. */
class Cut extends Error {}

/** @param source as text, its line ends as they come @param isXml is it read as XML? There `<script/>` is a whole element */
export function readHtml(source: string, isXml = false): HtmlTree {
  const builder = new Builder();
  const parser = new Parser(builder, { recognizeCDATA: isXml, recognizeSelfClosing: isXml });
  let cut = false;
  try {
    parser.end(source.includes('\r') ? source.replaceAll(/\r\n?/g, '\n') : source);
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    cut = true;
  }
  const { top, elements, doctype, declaration } = builder;
  return { top, elements, doctype, declaration, irregular: builder.irregular || source.includes('\0'), cut };
}

/** Elements whose end tag may be omitted. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set(
  'html head body p li dd dt tr td th tbody thead tfoot colgroup caption option optgroup rt rp rb rtc'.split(' '),
);
/** Elements allowed directly in the parts of a table; a browser moves others before it. */
const IN_TABLE: ReadonlySet<string> = new Set(
  'caption colgroup col tbody thead tfoot tr td th script style template form input'.split(' '),
);
const TABLE_PARTS: ReadonlySet<string> = new Set('table tbody thead tfoot tr colgroup'.split(' '));
const CELLS: ReadonlySet<string> = new Set('td th tr tbody thead tfoot caption col colgroup'.split(' '));
const IN_CELLS: ReadonlySet<string> = new Set([...TABLE_PARTS, 'template']);
const IN_SELECT: ReadonlySet<string> = new Set('option optgroup hr script template'.split(' '));
/** Elements that a document has once: a second tag makes no element. */
const ONCE: ReadonlySet<string> = new Set(['html', 'head', 'body']);
/** The elements that may hold HTML: these of drawings, and MATH_TEXT of formulas. */
const INTEGRATION: ReadonlySet<string> = new Set(['foreignObject', 'desc', 'title']);
const MATH_TEXT: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml']);
/** HTML elements that end a drawing or a formula (HTML Standard, section 13.2.6.5). */
const BREAKS_OUT: ReadonlySet<string> = new Set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'.split(
    ' ',
  ),
);

class Builder {
  readonly top: HtmlNode[] = [];
  readonly elements: HtmlElement[] = [];
  doctype = false;
  declaration = '';
  irregular = false;
  readonly #seen = new Set<string>();
  readonly #open: Open[] = [];
  /** Number of open elements, for those that may not stand within each other. */
  readonly #alone = new Map<string, number>(['a', 'button', 'nobr'].map((name) => [name, 0]));

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.#open.at(-1) ?? null;
    const namespace = namespaceIn(parent, name);
    this.#check(name, namespace, parent);
    const element: Open = {
      kind: 'element',
      name,
      namespace,
      attributes: htmlAttributes(attributes),
      parent,
      children: CHILDLESS,
    };
    this.#append(parent, element);
    this.elements.push(element);
    this.#open.push(element);
    this.#count(element, 1);
    if (this.#open.length > DEPTH_LIMIT || this.elements.length > ELEMENT_LIMIT) throw new Cut();
  }

  onclosetag(_name: string, implied: boolean): void {
    const closed = this.#open.pop();
    if (closed !== undefined) this.#count(closed, -1);
    if (closed === undefined || !implied) return;
    // void elements are closed like this, and have no children; an anchor that is left open is opened again later
    const unfinished = closed.children.length > 0 || closed.name === 'a';
    if (unfinished && !(closed.namespace === 'html' && ENDS_BY_ITSELF.has(closed.name))) this.irregular = true;
  }

  ontext(data: string): void {
    const parent = this.#open.at(-1);
    if (parent?.namespace === 'html' && TABLE_PARTS.has(parent.name) && /\S/.test(data)) this.irregular = true;
    const siblings = parent?.children ?? this.top;
    const last = siblings.at(-1);
    if (last?.kind === 'text') siblings[siblings.length - 1] = { kind: 'text', data: last.data + data };
    else this.#append(parent, { kind: 'text', data });
  }

  oncomment(data: string): void {
    this.#append(this.#open.at(-1), { kind: 'comment', data });
  }

  onprocessinginstruction(name: string, data: string): void {
    if (name !== '!doctype') return;
    if (!this.doctype) this.declaration = data;
    this.doctype = true;
  }

  /** Most elements have one child at most: a push to an empty list would reserve room for sixteen more. */
  #append(parent: Open | null | undefined, node: HtmlNode): void {
    if (parent === null || parent === undefined) this.top.push(node);
    else if (parent.children === CHILDLESS) parent.children = [node];
    else parent.children.push(node);
  }

  #check(name: string, namespace: Namespace, parent: Open | null): void {
    if (namespace !== 'html') {
      if (BREAKS_OUT.has(name)) this.irregular = true;
      return;
    }
    const above = parent?.namespace === 'html' ? parent.name : null;
    const wrong =
      (ONCE.has(name) && this.#seen.has(name)) ||
      (above !== null && TABLE_PARTS.has(above) && !IN_TABLE.has(name)) ||
      (CELLS.has(name) && above !== null && !IN_CELLS.has(above)) ||
      (above === 'select' && !IN_SELECT.has(name)) ||
      (this.#alone.get(name) ?? 0) > 0 ||
      name === 'frameset';
    if (wrong) this.irregular = true;
    if (ONCE.has(name)) this.#seen.add(name);
  }

  #count({ name, namespace }: Open, by: 1 | -1): void {
    const open = namespace === 'html' ? this.#alone.get(name) : undefined;
    if (open !== undefined) this.#alone.set(name, open + by);
  }
}

function namespaceIn(parent: Open | null, name: string): Namespace {
  if (name === 'svg') return 'svg';
  if (name === 'math') return 'math';
  if (parent === null || parent.namespace === 'html') return 'html';
  const lets = parent.namespace === 'svg' ? INTEGRATION.has(parent.name) : MATH_TEXT.has(parent.name);
  return lets ? 'html' : parent.namespace;
}

/** Text of an element and all that is in it. @param most nodes that are read: nested elements would read the same ones again and again */
export function textOf({ children }: Pick<HtmlElement, 'children'>, most: number = Infinity): string {
  let text = '';
  let left = most;
  const read = (nodes: readonly HtmlNode[]): void => {
    for (const node of nodes) {
      left -= 1;
      if (left < 0) return;
      if (node.kind === 'text') text += node.data;
      else if (node.kind === 'element') read(node.children);
    }
  };
  read(children);
  return text;
}
