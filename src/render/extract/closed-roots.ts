/**
 * Closed shadow trees, which no script can enter, are found through the protocol, and the links in them are read. One DOM snapshot holds the
 * page and all frames of its process; the page script has found the links outside closed trees already.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { blockJsonLinks } from '../../core/links/data/block-json.ts';
import { commentLinks } from '../../core/links/markup/comment-links.ts';
import { elementLinks, styleLinks, type MarkupElement } from '../../core/links/markup/element-links.ts';
import { rawLink } from '../../core/links/raw-link.ts';
import { writtenUrls } from '../../core/links/texts/written-urls.ts';
import type { LinkNamespace } from '../../model/link-sources.ts';
import type { RawLink } from '../../model/page-facts.ts';
import type { Task } from '../../offload/task.ts';
import { ATTRIBUTE_LENGTH, CLOSED_LINK_LIMIT, WITNESS_LIMIT, LINK_TEXT_LENGTH } from '../limits/reading-limits.ts';

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;
type SnapshotDocument = Snapshot['documents'][number];

/** A snapshot of the tree, without styles. */
export function snapshotOf(session: DevToolsSession): ReturnType<typeof session.send<'DOMSnapshot.captureSnapshot'>> {
  return session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] });
}

export interface ClosedLinks {
  readonly documentUrl: string;
  readonly frameId: string;
  readonly base: string;
  readonly links: readonly RawLink[];
  /** Backend ids of nodes in its closed trees, and in all trees within these. */
  readonly inside: readonly number[];
}

/**
 * The number of nodes that a search for `<`, the start of any tag, finds in all trees of the documents of a process, closed ones too: elements,
 * and texts and comments that hold it. If the page script has counted as many, there is no closed tree; the search costs a hundredth of the
 * snapshot of a large page (5 ms against 655 for 18,000 elements). The DOM domain is switched off again, or it would report each change
 * of the page.
 */
export async function tagCount(session: DevToolsSession): Promise<number> {
  const [, search] = await Promise.all([
    session.send('DOM.enable'),
    session.send('DOM.performSearch', { query: '<' }),
    session.send('DOM.disable'),
  ]);
  return search.resultCount;
}

/** {@link closedLinks} as a task. */
export const CLOSED_LINKS: Task<Snapshot, readonly ClosedLinks[]> = { name: 'closed trees', run: closedLinks };

/** Characters of all texts of a snapshot, and a few for each node. */
export function snapshotSize({ documents, strings }: Snapshot): number {
  const characters = strings.reduce((sum, text) => sum + text.length, 0);
  return documents.reduce((sum, { nodes }) => sum + 16 * (nodes.parentIndex?.length ?? 0), characters);
}

function closedLinks({ documents, strings }: Snapshot): readonly ClosedLinks[] {
  const text = (index: number | undefined): string => (index === undefined || index < 0 ? '' : (strings[index] ?? ''));
  return documents.flatMap((document) => {
    const closed = insideClosed(document, text);
    if (closed.size === 0) return [];
    const element = new SnapshotElement(document, text);
    const links = [...closed].flatMap((node) => linksAt(element, node)).slice(0, CLOSED_LINK_LIMIT);
    const { documentURL, frameId, baseURL, nodes } = document;
    const inside = witnesses(document, closed, (node) => text(nodes.nodeName?.[node]));
    return [{ documentUrl: text(documentURL), frameId: text(frameId), base: text(baseURL), links, inside }];
  });
}

/** Elements that may have a shadow tree (DOM Standard, "attach a shadow root"). */
const HOSTS = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/i;

/**
 * Nodes of each closed tree, and of each tree within these. A snapshot has no roots: what is in a tree stands below its host, beside the host's
 * own children. So the first and the last node below an element are of its tree, and of the tree that it is in.
 */
function witnesses({ nodes }: SnapshotDocument, closed: ReadonlySet<number>, name: (node: number) => string): number[] {
  const [firsts, lasts] = [new Map<number, number>(), new Map<number, number>()];
  for (const node of closed) {
    const parent = nodes.parentIndex?.[node] ?? -1;
    if (!HOSTS.test(name(parent))) continue;
    if (!firsts.has(parent)) firsts.set(parent, node);
    lasts.set(parent, node);
  }
  const ends = new Set([...firsts.values(), ...lasts.values()]);
  return [...ends].flatMap((node) => nodes.backendNodeId?.[node] ?? []).slice(0, WITNESS_LIMIT);
}

/** Nodes with a closed shadow root above them. A node's parent always comes before it. */
function insideClosed({ nodes }: SnapshotDocument, text: (index: number | undefined) => string): ReadonlySet<number> {
  const inside = new Set<number>();
  const roots = nodes.shadowRootType;
  roots?.index.forEach((node, at) => {
    if (text(roots.value[at]) === 'closed') inside.add(node);
  });
  if (inside.size === 0) return inside;
  nodes.parentIndex?.forEach((parent, node) => {
    if (inside.has(parent)) inside.add(node);
  });
  return inside;
}

function linksAt(element: SnapshotElement, node: number): readonly RawLink[] {
  switch (element.typeAt(node)) {
    case ELEMENT:
      element.set(node);
      return [...elementLinks(element), ...element.held()];
    case TEXT:
      return element.isCode(node)
        ? []
        : writtenUrls(element.valueAt(node)).map((url) => rawLink(url, 'text', 'text', 'low'));
    case COMMENT:
      return commentLinks(element.valueAt(node));
    default:
      return [];
  }
}

const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
/** A shadow root. */
const FRAGMENT = 11;
const FOREIGN = new Map<string, LinkNamespace>([
  ['svg', 'svg'],
  ['math', 'math'],
]);

/** Presents an element of a snapshot to core/links/markup/element-links.ts; set to one element after the other. */
class SnapshotElement implements MarkupElement {
  namespace: LinkNamespace = 'html';
  name = '';
  attributes: readonly string[] = [];
  readonly #nodes: SnapshotDocument['nodes'];
  readonly #text: (index: number | undefined) => string;
  #values: ReadonlyMap<string, string> = new Map();
  #node = 0;
  /** The root of each node's tree, and the forms of all trees; null until a button names one. */
  #roots: readonly number[] | null = null;
  #forms: ReadonlyMap<string, number> | null = null;

  constructor({ nodes }: SnapshotDocument, text: (index: number | undefined) => string) {
    this.#nodes = nodes;
    this.#text = text;
  }

  set(node: number): void {
    this.#node = node;
    this.name = this.#nameAt(node);
    this.namespace = this.#namespaceAt(node);
    const values = new Map<string, string>();
    const flat = this.#nodes.attributes?.[node] ?? [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      const value = this.#text(flat[index + 1]);
      if (value.length <= ATTRIBUTE_LENGTH) values.set(this.#text(flat[index]), value);
    }
    this.#values = values;
    this.attributes = [...values.keys()];
  }

  attribute(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  words(kind: RawLink['kind']): string {
    if (kind === 'anchor') return wordsBelow(this.#nodes, this.#node, this.#text);
    const given = kind === 'area' ? 'alt' : kind === 'frame' || kind === 'link-element' ? 'title' : null;
    return given === null ? '' : (this.attribute(given) ?? '').replace(/\s+/g, ' ').trim().slice(0, LINK_TEXT_LENGTH);
  }

  formMethod(): string {
    const form = this.#namedForm() ?? this.#formAround();
    return form === null ? 'get' : (this.#attributeAt(form, 'method') ?? 'get').trim().toLowerCase();
  }

  #formAround(): number | null {
    for (let node = this.#parentOf(this.#node); node >= 0; node = this.#parentOf(node))
      if (this.#nameAt(node) === 'form') return node;
    return null;
  }

  /** The form that the `form` attribute of a button names: one of the same tree. */
  #namedForm(): number | null {
    const id = this.attribute('form') ?? '';
    if (id === '') return null;
    this.#roots ??= rootsOf(this.#nodes);
    this.#forms ??= this.#formsOf(this.#roots);
    return this.#forms.get(`${this.#roots[this.#node] ?? 0} ${id}`) ?? null;
  }

  /** The first form of each tree with an id. */
  #formsOf(roots: readonly number[]): ReadonlyMap<string, number> {
    const forms = new Map<string, number>();
    for (const [node, root] of roots.entries()) {
      if (this.#nameAt(node) !== 'form') continue;
      const key = `${root} ${this.#attributeAt(node, 'id') ?? ''}`;
      if (!forms.has(key)) forms.set(key, node);
    }
    return forms;
  }

  #attributeAt(node: number, wanted: string): string | null {
    const flat = this.#nodes.attributes?.[node] ?? [];
    const at = flat.findIndex((name, index) => index % 2 === 0 && this.#text(name) === wanted);
    return at < 0 ? null : this.#text(flat[at + 1]);
  }

  typeAt(node: number): number {
    return this.#nodes.nodeType?.[node] ?? 0;
  }

  valueAt(node: number): string {
    return this.#text(this.#nodes.nodeValue?.[node]).slice(0, ATTRIBUTE_LENGTH);
  }

  /** Is it the text of a script or of a sheet? */
  isCode(node: number): boolean {
    const name = this.#nameAt(this.#parentOf(node));
    return name === 'script' || name === 'style';
  }

  /** Links in the content of the element: of a sheet, of a block of JSON. */
  held(): readonly RawLink[] {
    if (this.name !== 'style' && this.name !== 'script') return [];
    const content = this.#nodes.nodeValue?.[this.#node + 1];
    if (this.#parentOf(this.#node + 1) !== this.#node) return [];
    if (this.name === 'style') return styleLinks(this.#text(content), 'style');
    const type = (this.attribute('type') ?? '').trim().toLowerCase();
    return type === '' ? [] : (blockJsonLinks(type, this.#text(content)) ?? []);
  }

  #nameAt(node: number): string {
    return this.#text(this.#nodes.nodeName?.[node]).toLowerCase();
  }

  #parentOf(node: number): number {
    return this.#nodes.parentIndex?.[node] ?? -1;
  }

  /** The namespace of the drawing or formula around a node: a snapshot has no namespaces. */
  #namespaceAt(start: number): LinkNamespace {
    for (let node = start, steps = 0; node >= 0 && steps < 64; node = this.#parentOf(node), steps++) {
      const name = this.#nameAt(node);
      if (name === 'foreignobject') return 'html';
      const namespace = FOREIGN.get(name);
      if (namespace !== undefined) return namespace;
    }
    return 'html';
  }
}

/** For each node the shadow root above it, or the document. A node's parent always comes before it. */
function rootsOf(nodes: SnapshotDocument['nodes']): readonly number[] {
  const roots: number[] = [];
  nodes.parentIndex?.forEach((parent, node) => {
    roots.push(nodes.nodeType?.[node] === FRAGMENT ? node : (roots[parent] ?? 0));
  });
  return roots;
}

/** Text of an element: the texts of its descendants, which follow it directly. */
function wordsBelow(
  nodes: SnapshotDocument['nodes'],
  element: number,
  text: (index: number | undefined) => string,
): string {
  const below = new Set([element]);
  const words: string[] = [];
  for (let node = element + 1; below.has(nodes.parentIndex?.[node] ?? -1) && words.length < 100; node++) {
    below.add(node);
    if (nodes.nodeType?.[node] === 3) words.push(text(nodes.nodeValue?.[node]));
  }
  return words.join('').slice(0, 1600).replace(/\s+/g, ' ').trim().slice(0, 200);
}
