/** Pictures that a style sheet names by strings: `image-set("a.png" 1x, "b.png" type("image/png") 2x)`. */

/**
 * The strings of all sets, but for those in the brackets of a function. A set with nested brackets, or with a string that does
 * not end, is left out; the text before that is not read again, so it is one pass.
 */
export function imageSetStrings(text: string): readonly string[] {
  const found: string[] = [];
  const beginning = /image-set\(/gi;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const { end, strings } = setAt(text, beginning.lastIndex);
    for (const each of strings) found.push(each);
    beginning.lastIndex = end;
  }
  return found;
}

/** Reads a set from after its opening bracket. @returns no strings where it is malformed */
function setAt(text: string, from: number): { readonly end: number; readonly strings: readonly string[] } {
  const strings: string[] = [];
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === ')') return { end: at + 1, strings };
    if (sign === '(') {
      const end = afterGroup(text, at);
      if (text[end] !== ')') return { end, strings: [] };
      if (!/[\w-]/.test(text[at - 1] ?? '')) for (const each of stringsOf(text.slice(at, end))) strings.push(each);
      at = end;
    } else if (sign === '"' || sign === "'") {
      const end = afterString(text, at);
      if (text[end] !== sign) return { end, strings: [] };
      if (end > at + 1) strings.push(text.slice(at + 1, end));
      at = end;
    }
  }
  return { end: text.length, strings: [] };
}

/** The next bracket of either sort, or the end. */
function afterGroup(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) if (text[at] === '(' || text[at] === ')') return at;
  return text.length;
}

/** The place of the quote that ends a string, or of the end of its line. */
function afterString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) if (text[at] === quote || text[at] === '\n') return at;
  return text.length;
}

function stringsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"\n]+)"|'([^'\n]+)'/g)].map(([, one, other]) => one ?? other ?? '');
}
