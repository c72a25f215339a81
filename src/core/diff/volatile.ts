/**
 * Folds values that change from crawl to crawl though the site did not: counters, nonces, sessions, hashes of builds. Each becomes a
 * placeholder of its kind. (Addresses: model/url/steady-address.ts; dates, times and ages: core/fingerprint/normal-text.ts.)
 */

/** Placeholders for a counter, and for a text that a program made. */
const COUNTER = '‹n›';
const HASH = '‹id›';

/** Characters of a line that are kept; longer lines are no sentences. */
const LINE = 20_000;

const COUNTED =
  'views?|visits?|visitors?|readers?|downloads?|clicks?|likes?|shares?|followers?|subscribers?|users?|members?|guests?|people|online|comments?|aufrufe|besucher|ansichten';
const FIGURE = '\\d{1,3}(?:[.,\u00a0\u202f ]\\d{3})+|\\d{1,12}(?:\\.\\d{1,2})?[kKmM]?';
/** `1,204 views`, `Views: 1,204`. */
const COUNT_BEFORE = new RegExp(`(?<![\\w.,])(?:${FIGURE})(?= (?:${COUNTED})\\b)`, 'giu');
const COUNT_AFTER = new RegExp(`(?<=\\b(?:${COUNTED}) ?: ?)(?:${FIGURE})(?![\\w])`, 'giu');
/** `generated in 0.123 seconds`. */
const TOOK = /(?<![\w.,])\d{1,9}(?:[.,]\d{1,9})?(?= ?(?:ms|msec|µs|milliseconds?|seconds?|secs?|sec)\b)/giu;
const UUID = /(?<![\da-f-])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f-])/gi;
/** Hexadecimal, with both letters and digits. */
const HEXADECIMAL = /(?<![\p{L}\p{N}])(?=[\da-f]{0,63}\d)(?=[\da-f]{0,63}[a-f])[\da-f]{12,64}(?![\p{L}\p{N}])/giu;
/** Like a token: long, with letters of both cases and digits. */
const TOKEN =
  /(?<![\w+/=-])(?=[\w+/-]{0,199}\d)(?=[\w+/-]{0,199}[a-z])(?=[\w+/-]{0,199}[A-Z])[\w+/-]{24,200}={0,2}(?![\w+/=-])/g;

/** A line of text with its volatile values folded. */
export function steadyText(line: string): string {
  const text = line.slice(0, LINE);
  if (!/\d/.test(text)) return text;
  return text
    .replaceAll(UUID, HASH)
    .replaceAll(HEXADECIMAL, HASH)
    .replaceAll(TOKEN, HASH)
    .replaceAll(COUNT_BEFORE, COUNTER)
    .replaceAll(COUNT_AFTER, COUNTER)
    .replaceAll(TOOK, COUNTER);
}
