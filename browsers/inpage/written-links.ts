/** Addresses in the text and in the comments of a tree: speculative links. */
import { commentLinks as linksOfComment } from '../../src/core/links/markup/comment-links.ts';
import { rawLink } from '../../src/core/links/raw-link.ts';
import { mayHoldPaths, NO_PROSE, writtenPaths } from '../../src/core/links/texts/written-paths.ts';
import { mayHoldCommentUrls, mayHoldUrls, writtenUrls } from '../../src/core/links/texts/written-urls.ts';
import type { RawLink } from '../../src/model/page-facts.ts';
import {
  anchorHrefOf,
  closest,
  documentElementOf,
  localNameOf,
  nodesBelow,
  select,
  textContentOf,
} from './safe-dom.ts';

/** Addresses kept of one tree, and characters read of one text. */
const LIMIT = 1000;
const TEXT_LENGTH = 500_000;
/** Nodes looked at. */
const NODES = 500_000;
/** Elements whose text is not for readers, or is read elsewhere. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'noframes', 'noembed']);
const CODE_SELECTOR = [...CODE].join(',');
const NO_PROSE_SELECTOR = [...NO_PROSE].join(',');

export function writtenLinks(root: Document | ShadowRoot | DocumentFragment): readonly RawLink[] {
  return [...textLinks(root), ...commentLinks(root)];
}

function textLinks(root: Document | ShadowRoot | DocumentFragment): readonly RawLink[] {
  if (!mayBeWrittenIn(root)) return [];
  const found: RawLink[] = [];
  const texts = nodesBelow(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(), looked = 0; node !== null && looked < NODES; node = texts.nextNode(), looked++) {
    if (!(node instanceof Text)) continue;
    const [urls, paths] = [mayHoldUrls(node.data), mayHoldPaths(node.data)];
    const parent = node.parentNode;
    if ((!urls && !paths) || (parent instanceof Element && CODE.has(localNameOf(parent)))) continue;
    const text = node.data.slice(0, TEXT_LENGTH);
    if (urls) {
      const target = parent instanceof Element ? targetAround(parent) : null;
      for (const url of writtenUrls(text, LIMIT - found.length)) {
        if (new URL(url).href !== target) found.push(rawLink(url, 'text', 'text', 'low'));
      }
    }
    if (paths && (!(parent instanceof Element) || closest(parent, NO_PROSE_SELECTOR) === null))
      for (const path of writtenPaths(text)) found.push(rawLink(path, 'text', 'text', 'low'));
    if (found.length >= LIMIT) break;
  }
  return found;
}

/** Are there more signs of addresses in all the text than in the text that is not for readers? Scripts are full of them. */
function mayBeWrittenIn(root: Document | ShadowRoot | DocumentFragment): boolean {
  const top = root instanceof Document ? documentElementOf(root) : root;
  const all = top === null ? 0 : signs(textContentOf(top) ?? '');
  if (all === 0) return false;
  let inCode = 0;
  for (const code of select(root, CODE_SELECTOR)) inCode += signs(textContentOf(code) ?? '');
  return all > inCode;
}

function signs(text: string): number {
  let count = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) count += 1;
  for (const _match of text.matchAll(/www\./gi)) count += 1;
  return count;
}

/** Target of the anchor around an element; the text of an anchor is mostly the address that it leads to. */
function targetAround(element: Element): string | null {
  const anchor = closest(element, 'a[href]');
  return anchor instanceof HTMLAnchorElement ? anchorHrefOf(anchor) : null;
}

function commentLinks(root: Document | ShadowRoot | DocumentFragment): readonly RawLink[] {
  const found: RawLink[] = [];
  const comments = nodesBelow(root, NodeFilter.SHOW_COMMENT);
  for (
    let node = comments.nextNode(), looked = 0;
    node !== null && looked < NODES;
    node = comments.nextNode(), looked++
  ) {
    if (!(node instanceof Comment) || !mayHoldCommentUrls(node.data)) continue;
    found.push(...linksOfComment(node.data.slice(0, TEXT_LENGTH)));
    if (found.length >= LIMIT) break;
  }
  return found;
}
