import { describe, expect, it } from 'vitest';
import {
  linkSignatureOf,
  linkTail,
  ownLinkTails,
  type LinkSignatureMatch,
} from '../../../../src/core/fingerprint/link-signature.ts';
import { duplicateVerdict, type DuplicateQuestion, type LikePage } from '../../../../src/core/fingerprint/verdict.ts';

const links = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `https://a.test/x/page-${from + at}`);

/** Compares the link signatures of two pages as the index does. */
function match(of: readonly string[], other: readonly string[]): LinkSignatureMatch {
  const [one, two] = [linkSignatureOf(of), linkSignatureOf(other)];
  const equal = one.sketch.filter((byte, at) => byte === two.sketch[at]).length;
  return { count: two.count, same: one.digest === two.digest, equal };
}

const linkSignature = linkSignatureOf(links(0, 20));
const question: DuplicateQuestion = {
  fingerprint: { empty: false, evidence: 'much' },
  linkSignature,
  isSeed: false,
  followDuplicates: false,
};
const SAME: LinkSignatureMatch = { count: 20, same: true, equal: 24 };
const OTHER: LinkSignatureMatch = { count: 20, same: false, equal: 0 };
/** One of 20 links differs: about this many bytes are equal. */
const NEARLY: LinkSignatureMatch = { count: 20, same: false, equal: 22 };
const like: LikePage = { url: 'https://a.test/1', similarity: 0.97, sameDomain: true, linkSignature: SAME };

describe('the verdict on a page', () => {
  it.each<[string, Partial<LikePage>, Partial<DuplicateQuestion>, 'new' | 'known' | 'known, held']>([
    ['like one of its domain', {}, {}, 'known, held'],
    ['with the same text', { similarity: 1 }, {}, 'known, held'],
    ['just alike enough', { similarity: 0.95 }, {}, 'known, held'],
    ['a little less alike', { similarity: 0.9449 }, {}, 'known'],
    ['of another domain', { sameDomain: false, similarity: 1 }, {}, 'new'],
    ['with --follow-duplicates', { similarity: 1 }, { followDuplicates: true }, 'known'],
    ['that is a seed', { similarity: 1 }, { isSeed: true }, 'known'],
    ['with one other link', { linkSignature: NEARLY }, {}, 'known, held'],
    ['with other links', { linkSignature: OTHER }, {}, 'known'],
    ['that says little, with the same links', {}, { fingerprint: { empty: false, evidence: 'little' } }, 'known, held'],
    [
      'that says little, with one other link',
      { linkSignature: NEARLY },
      { fingerprint: { empty: false, evidence: 'little' } },
      'known',
    ],
  ])('%s', (_what, ofLike, ofQuestion, expected) => {
    const verdict = duplicateVerdict({ ...question, ...ofQuestion }, { ...like, ...ofLike });
    expect(verdict.duplicateOf).toBe(like.url);
    expect(`${verdict.novelty}${verdict.heldBecause === null ? '' : ', held'}`).toBe(expected);
  });

  it('that is like none is that it is new, and without words that nothing is known', () => {
    const none = { duplicateOf: null, similarity: null, heldBecause: null };
    expect(duplicateVerdict(question, null)).toEqual({ ...none, novelty: 'new' });
    const empty = { ...question, fingerprint: { empty: true, evidence: 'little' } } as const;
    expect(duplicateVerdict(empty, like)).toEqual({ ...none, novelty: null });
  });
});

describe('the look of a link', () => {
  it.each([
    ['https://a.test/', ''],
    ['https://a.test/guide/start', 'start'],
    ['https://a.test/en/guide/start/', 'start'],
    ['https://a.test/s/17/start?page=2', 'start?page=2'],
    ['https://a.test/app#/route/a', 'app#/route/a'],
  ])('%s is %j', (url, look) => {
    expect(linkTail(url)).toBe(look === '' ? 'a.test' : look);
  });

  it('does not mind the order, nor how often it comes', () => {
    expect(linkSignatureOf([...links(0, 9).toReversed(), ...links(0, 3)])).toEqual(linkSignatureOf(links(0, 9)));
  });

  it.each([
    [0, 0, 0],
    [20, 0, 0],
    [20, 10, 10],
    [60, 6, 6],
    [60, 60, 60],
  ])('tells of %d links about how many the other page has not: %d', (count, own, expected) => {
    const [page, other] = [links(0, count), links(own, count)];
    const told = ownLinkTails(linkSignatureOf(page), match(page, other));
    expect(Math.abs(told - expected)).toBeLessThanOrEqual(0.2 * count);
  });

  it('never takes different sets of links for the same', () => {
    const page = links(0, 400);
    expect(ownLinkTails(linkSignatureOf(page), match(page, links(1, 400)))).toBeGreaterThan(0);
  });
});
