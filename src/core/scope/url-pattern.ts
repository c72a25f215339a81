/** Patterns that a user gives for URLs. */

/** Characters that stand escaped in a canonical URL: beyond ASCII, blanks, and `[ ] { } | ^` where the pattern means them as such. */
const WRITTEN_OUT = /[^\0-\x7F]| |\\[[\]{}|^]/;

/** Does the URL match as it is, or as people read it? In `?f%5B0%5D=red` both `f%5B0` and `f\[0\]` are found. */
export function matchesUrl(pattern: RegExp, url: string): boolean {
  if (pattern.test(url)) return true;
  return url.includes('%') && WRITTEN_OUT.test(pattern.source) && pattern.test(readableUrl(url));
}

function readableUrl(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url; // it is not in UTF-8
  }
}
