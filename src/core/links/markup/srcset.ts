/** The candidates of a `srcset` (HTML Standard, "parse a srcset attribute"): URLs may hold commas, descriptors brackets. */

/** A picture has some sizes; more is an attack. */
const CANDIDATES = 200;

/** URLs in order; descriptors are ignored, because a browser with another screen takes another candidate. */
export function srcsetUrls(text: string): readonly string[] {
  const urls: string[] = [];
  let at = 0;
  while (urls.length < CANDIDATES) {
    while (at < text.length && (isSpace(text.charCodeAt(at)) || text[at] === ',')) at += 1;
    if (at >= text.length) break;
    const start = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    let end = at;
    while (end > start && text[end - 1] === ',') end -= 1;
    if (end > start) urls.push(text.slice(start, end));
    if (end === at) at = afterDescriptors(text, at);
  }
  return urls;
}

/** Up to the comma that ends the candidate; one in brackets does not. */
function afterDescriptors(text: string, start: number): number {
  let inBrackets = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '(') inBrackets = true;
    else if (sign === ')') inBrackets = false;
    else if (sign === ',' && !inBrackets) return at + 1;
  }
  return text.length;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13;
}
