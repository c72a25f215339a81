import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credits, TOTAL_CREDIT } from '../../../../src/base/units.ts';
import { splitCash } from '../../../../src/core/credit/split.ts';

const cashes = fc.maxSafeNat().map((value) => credits(value % (TOTAL_CREDIT + 1)));
const counts = fc.integer({ min: 1, max: 100_000 });

describe('splitCash', () => {
  it('creates and loses no credit', () => {
    fc.assert(
      fc.property(cashes, counts, (cash, links) => {
        const { perLink, lambda } = splitCash(cash, links);
        expect(BigInt(perLink) * BigInt(links) + BigInt(lambda)).toBe(BigInt(cash));
      }),
    );
  });

  it('gives lambda its tenth, and of the rest no more than does not divide', () => {
    fc.assert(
      fc.property(cashes, counts, (cash, links) => {
        const { lambda } = splitCash(cash, links);
        const tax = BigInt(cash) / 10n;
        expect(BigInt(lambda) >= tax).toBe(true);
        expect(BigInt(lambda) < tax + BigInt(links)).toBe(true);
      }),
    );
  });

  it('never gives a link more because there is one link more', () => {
    fc.assert(
      fc.property(cashes, counts, (cash, links) => {
        expect(splitCash(cash, links + 1).perLink).toBeLessThanOrEqual(splitCash(cash, links).perLink);
      }),
    );
  });

  it('gives all to lambda where a page has no links', () => {
    expect(splitCash(credits(41), 0)).toEqual({ perLink: 0, lambda: 41 });
  });

  it.each([
    [100, 9, 10, 10],
    [100, 4, 22, 12],
    [7, 3, 2, 1],
    [1, 5, 0, 1],
    [TOTAL_CREDIT, 1, 4_053_239_664_633_447, 450_359_962_737_049],
  ])('splits %d over %d links into %d each and %d for lambda', (cash, links, perLink, lambda) => {
    expect(splitCash(credits(cash), links)).toEqual({ perLink, lambda });
  });

  it('halves the credit of a chain after 6.58 pages', () => {
    let cash = credits(2 ** 40);
    for (let page = 0; page < 20; page += 1) cash = splitCash(cash, 1).perLink;
    expect(Math.abs(cash - 2 ** 40 * 0.9 ** 20)).toBeLessThanOrEqual(20);
  });
});
