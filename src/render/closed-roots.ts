/**
 * Links inside closed shadow trees, which no script can enter: read through the protocol. One DOM snapshot holds the page
 * and all frames of its process; what lies outside closed trees the page script has found already.
 */
import type { DevToolsSession } from '../devtools/session.ts';
import type { RawLink } from '../model/page-facts.ts';

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;
type SnapshotDocument = Snapshot['documents'][number];

/** Without styles: the tree alone. */
export function snapshotOf(session: DevToolsSession): ReturnType<typeof session.send<'DOMSnapshot.captureSnapshot'>> {
  return session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] });
}

export interface ClosedLinks {
  readonly documentUrl: string;
  readonly frameId: string;
  readonly base: string;
  readonly links: readonly RawLink[];
}

/** Attribute that makes the element a link, and what kind. */
const LINKING: Readonly<Record<string, readonly [attribute: string, kind: RawLink['kind']]>> = {
  A: ['href', 'anchor'],
  AREA: ['href', 'area'],
  LINK: ['href', 'link-element'],
  IFRAME: ['src', 'frame'],
  FRAME: ['src', 'frame'],
  FORM: ['action', 'form'],
};

export function closedLinks({ documents, strings }: Snapshot): readonly ClosedLinks[] {
  const text = (index: number | undefined): string => (index === undefined || index < 0 ? '' : (strings[index] ?? ''));
  return documents.flatMap((document) => {
    const closed = insideClosed(document, text);
    if (closed.size === 0) return [];
    const links = [...closed].flatMap((node) => linkAt(document, node, text) ?? []);
    const { documentURL, frameId, baseURL } = document;
    return [{ documentUrl: text(documentURL), frameId: text(frameId), base: text(baseURL), links }];
  });
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

function linkAt(
  { nodes }: SnapshotDocument,
  node: number,
  text: (index: number | undefined) => string,
): RawLink | null {
  const linking = LINKING[text(nodes.nodeName?.[node]).toUpperCase()];
  if (linking === undefined) return null;
  const attributes = new Map<string, string>();
  const flat = nodes.attributes?.[node] ?? [];
  for (let index = 0; index + 1 < flat.length; index += 2) attributes.set(text(flat[index]), text(flat[index + 1]));
  const [name, kind] = linking;
  const href = attributes.get(name) ?? attributes.get('xlink:href');
  if (href === undefined || href.length > 8192) return null;
  if (kind === 'form' && (attributes.get('method') ?? 'get').toLowerCase() !== 'get') return null;
  const context = `${text(nodes.nodeName?.[node]).toLowerCase()}/@${name}`;
  const words = wordsBelow(nodes, node, text);
  return { href, kind, context, text: words, rel: (attributes.get('rel') ?? '').slice(0, 200) };
}

/** Text of an element: that of the nodes after it that have it as an ancestor; they follow it directly. */
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
