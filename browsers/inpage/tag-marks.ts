/**
 * Counts the nodes of a tree that a search for `<` finds (render/extract/closed-roots.ts): all elements, and every text and comment that
 * holds a `<`, as most scripts do.
 */
import { documentElementOf, nodesBelow, select, textContentOf } from './safe-dom.ts';

/** Elements whose text is not for readers, and full of tags. */
const CODE = 'script,style,noscript,template,iframe,noframes,noembed,textarea,title';
const MARK = '<';

/** Texts and comments below a root that hold the beginning of a tag. Nodes outside of the root element are not searched. */
export function tagMarks(root: Document | ShadowRoot): number {
  const top = root instanceof Document ? documentElementOf(root) : root;
  if (top === null) return 0;
  const comments = marked(top, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_CDATA_SECTION);
  const marks = marksIn(textContentOf(top) ?? '');
  if (marks === 0) return comments;
  const code = inCode(root);
  return comments + (code.marks === marks ? code.texts : marked(top, NodeFilter.SHOW_TEXT));
}

function marked(top: Node, what: number): number {
  const nodes = nodesBelow(top, what);
  let count = 0;
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode())
    if (node instanceof CharacterData && node.data.includes(MARK)) count += 1;
  return count;
}

/** Counts the marks in code. Most pages of many texts have all their marks there, and need no walk over all texts. */
function inCode(root: Document | ShadowRoot): { readonly marks: number; readonly texts: number } {
  let [marks, texts] = [0, 0];
  for (const element of select(root, CODE)) {
    for (let node = element.firstChild; node !== null; node = node.nextSibling) {
      const found = node instanceof Text ? marksIn(node.data) : 0;
      marks += found;
      if (found > 0) texts += 1;
    }
  }
  return { marks, texts };
}

function marksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) count += 1;
  return count;
}
