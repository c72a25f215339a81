/**
 * The kinds of link, one row each; all other code derives from this table. A new kind needs a row here, code that finds
 * it, and a row of docs/links.md (checked by test/architecture/document-records.test.ts). The order of the rows is the order of the bits in
 * the labels of the link graph (core/graph/edge-label.ts), in memory only.
 */

/**
 * The meaning of a link to a reader of the page.
 * - `link`: a reader can follow it, or was led along it.
 * - `hint`: it leads to a page, but only machines read it; browsers do not show it as a link.
 * - `subresource`: the page embeds it or requests it from the network; it leads to no page.
 *
 * Some links have a lower class than their kind: see core/links/page-link.ts.
 */
type LinkClass = 'link' | 'hint' | 'subresource';

interface LinkKindRow {
  /** Code of the kind in Redis, in all pending URLs: its meaning never changes. Not `s` or `z`: those of seeds, probes (frontier/kind-letter.ts). */
  readonly letter: string;
  readonly class: LinkClass;
  /** Documents contain this kind, so a page script may report it. Other kinds come from the network, scripts or files. */
  readonly inDocuments?: true;
}

const TABLE = {
  anchor: { letter: 'a', class: 'link', inDocuments: true },
  area: { letter: 'r', class: 'link', inDocuments: true },
  frame: { letter: 'f', class: 'link', inDocuments: true },
  form: { letter: 'o', class: 'link', inDocuments: true },
  'meta-refresh': { letter: 'm', class: 'link', inDocuments: true },
  header: { letter: 'h', class: 'hint' },
  'link-element': { letter: 'l', class: 'hint', inDocuments: true },
  redirect: { letter: 'd', class: 'link' },
  history: { letter: 'y', class: 'link' },
  navigation: { letter: 'n', class: 'link' },
  'window-open': { letter: 'w', class: 'link' },
  click: { letter: 'c', class: 'link' },
  script: { letter: 't', class: 'link', inDocuments: true },
  json: { letter: 'j', class: 'hint', inDocuments: true },
  css: { letter: 'u', class: 'subresource', inDocuments: true },
  sitemap: { letter: 'p', class: 'hint' },
  robots: { letter: 'b', class: 'hint' },
  feed: { letter: 'e', class: 'hint' },
  /** A subresource named by markup: a picture, script, sheet or media file. */
  resource: { letter: 'i', class: 'subresource', inDocuments: true },
  /** An attribute that HTML does not define as a link: `data-href`, `hx-get`, `ping`, `cite`. */
  attribute: { letter: 'v', class: 'link', inDocuments: true },
  /** A URL in text or in a comment. */
  text: { letter: 'x', class: 'link', inDocuments: true },
  /** A script's request to the network: fetch, XHR, event stream, socket, beacon, worker, import. */
  request: { letter: 'q', class: 'subresource' },
  /** Added by a page hook of the user. */
  hook: { letter: 'k', class: 'link' },
} as const;

/** How a link was found. */
export type LinkKind = keyof typeof TABLE;

/** The kinds of link that a document itself contains. */
export type RawLinkKind = {
  [Kind in LinkKind]: (typeof TABLE)[Kind] extends { readonly inDocuments: true } ? Kind : never;
}[LinkKind];

const ROWS: Readonly<Record<LinkKind, LinkKindRow>> = TABLE;

/** In the order of the table. */
export const LINK_KINDS: readonly LinkKind[] = Object.keys(ROWS).filter((kind): kind is LinkKind => kind in ROWS);

export function letterOfKind(kind: LinkKind): string {
  return ROWS[kind].letter;
}

export function classOfKind(kind: LinkKind): LinkClass {
  return ROWS[kind].class;
}

const RAW_KINDS: ReadonlySet<unknown> = new Set(LINK_KINDS.filter((kind) => ROWS[kind].inDocuments === true));

/** Is it a kind of link that documents contain? */
export function isRawLinkKind(kind: unknown): kind is RawLinkKind {
  return RAW_KINDS.has(kind);
}
