/**
 * Shapes of URLs that only generators of endless URLs have: the syntactic step of trap detection (design/duplicates-and-traps,
 * "Traps in a URL"). Each verdict names its figure, since a wrong one must be seen and can be mended by --follow-traps.
 */
import { remembered, sameText } from '../../base/remembered.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { queryParts } from '../../model/url/query-parts.ts';
import { PASS, reject, type Rule } from './rule.ts';
import { matchesUrl } from './url-pattern.ts';

/** Heritrix, TooManyPathSegmentsDecideRule. */
const SEGMENT_LIMIT = 20;
/** A unit of 1 to 3 segments may stand this often in a row (Heritrix, PathologicalPathDecideRule: 2 repetitions). */
const REPEAT_LIMIT = 2;
/** A segment may stand this often in a path, wherever: repetition without a period is a relative-link trap as well. */
const OCCURRENCE_LIMIT = 3;
/**
 * Filters of a shop, multiplied (design/duplicates-and-traps, "Traps in a URL"). Session and tracking parameters are gone by
 * then.
 */
const PARAMETER_LIMIT = 8;
const LONGEST_PERIOD = 3;

/** @param followed a URL that matches one of these is not a trap */
export function noTrap(followed: readonly RegExp[]): Rule {
  const wordsOf = remembered(trapIn, { keep: sameText });
  return ({ url }) => {
    const words = wordsOf(url);
    if (words === null || followed.some((pattern) => matchesUrl(pattern, url))) return PASS;
    return reject('trap', words);
  };
}

/** The sign that makes the URL a trap, in words; null where there is none. */
export function trapIn(url: CanonicalUrl): string | null {
  const [place = ''] = url.split('#', 1);
  const question = place.indexOf('?');
  const address = question === -1 ? place : place.slice(0, question);
  const query = question === -1 ? '' : place.slice(question + 1);
  const segments = address
    .split('/')
    .slice(3)
    .filter((segment) => segment !== '');
  if (segments.length > SEGMENT_LIMIT) return `${segments.length} path segments are more than ${SEGMENT_LIMIT}`;
  // where all differ nothing is repeated
  const repeated = allDiffer(segments) ? null : (repeatedUnit(segments) ?? frequentSegment(segments));
  if (repeated !== null) return repeated;
  if (query === '') return null;
  const parameters = queryParts(query).filter((each) => each !== '').length;
  return parameters > PARAMETER_LIMIT ? `${parameters} query parameters are more than ${PARAMETER_LIMIT}` : null;
}

/** Called for every link of a page: comparing so few is faster than a set of them. */
function allDiffer(segments: readonly string[]): boolean {
  for (let index = 1; index < segments.length; index += 1)
    if (segments.indexOf(segments[index] ?? '') < index) return false;
  return true;
}

function repeatedUnit(segments: readonly string[]): string | null {
  for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
    let same = 0;
    for (let index = period; index < segments.length; index += 1) {
      same = segments[index] === segments[index - period] ? same + 1 : 0;
      if (same < period * REPEAT_LIMIT) continue;
      const unit = segments.slice(index - period + 1, index + 1);
      if (!unit.every(isShortNumber)) {
        return `path segment ${unit.join('/')} is repeated more than ${REPEAT_LIMIT} times in a row`;
      }
    }
  }
  return null;
}

function frequentSegment(segments: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > OCCURRENCE_LIMIT && !isShortNumber(segment)) {
      return `path segment ${segment} occurs more than ${OCCURRENCE_LIMIT} times`;
    }
    counts.set(segment, count);
  }
  return null;
}

/** Days, months and page numbers recur without being a trap: `/2011/11/11/11/`. */
function isShortNumber(segment: string): boolean {
  return /^\d{1,2}$/.test(segment);
}
