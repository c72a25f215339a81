/**
 * Does the whole text match a pattern in which `*` stands for any characters, or none? Each piece is looked for once, from left to
 * right, so that the work is at most the product of both lengths.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...others] = pieces;
  if (others.length === 0) return text === pattern;
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
