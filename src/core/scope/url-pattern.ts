/** Patterns that a user gives for URLs. */

/** Characters that stand escaped in a canonical URL: beyond ASCII, blanks, and `[ ] { } | ^` where the pattern means them as such. */
const WRITTEN_OUT = /[^\0-\x7F]| |\\[[\]{}|^]/;

/** Does the URL match as it is, or as people read it? In `?f%5B0%5D=red` both `f%5B0` and `f\[0\]` are found. */
export function matchesUrl(pattern: RegExp, url: string): boolean {
  if (pattern.test(url)) return true;
  return url.includes('%') && WRITTEN_OUT.test(pattern.source) && pattern.test(readableUrl(url));
}

/** Escaped octets, of ASCII or not. Each run is read by itself: one that is not in UTF-8 (`%E9` of Latin-1) says nothing about the others. */
const ESCAPES = /(?:%[0-7][0-9A-F])+|(?:%[89A-F][0-9A-F])+/gi;

function readableUrl(url: string): string {
  return url.replaceAll(ESCAPES, (octets) => {
    try {
      return decodeURI(octets);
    } catch {
      return octets;
    }
  });
}
