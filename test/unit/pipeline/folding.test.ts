/** Links of a page: which are looked up, and how they end; and the lessons from a page. */
import { describe, expect, it } from 'vitest';
import type { SeenPage } from '../../../src/core/folding/parameter-table.ts';
import type { Candidate } from '../../../src/model/candidate.ts';
import { foldOfVisit, learnParameters, linksFolded } from '../../../src/pipeline/folding.ts';
import { link } from '../../support/frontier-nouns.ts';
import { pageOf, visitOf } from '../../support/page.ts';
import { plainParameterMemory } from '../../support/plain-trap-memory.ts';

const FOLD = { id: 'f-1', rule: 'r' };
const parameterMemory = {
  ...plainParameterMemory(),
  foldsOf: (urls: readonly string[]) => Promise.resolve(urls.map((url) => (url.includes('ref=') ? FOLD : null))),
};
const visit = visitOf('http://a.test/', { depth: 3 });
const REF = 'http://a.test/b?ref=home';

async function folded(href: string, given: Partial<Candidate> = {}): Promise<unknown> {
  const [only] = await linksFolded([link(visit, href, given)], visit, { parameterMemory });
  return only?.target;
}

describe('a link', () => {
  it('is skipped so far where its parameter changes nothing, with how it would be visited', async () => {
    expect(await folded(REF)).toEqual({
      kind: 'skipped',
      record: { url: REF, reason: 'duplicate-query', rule: 'r', referrer: 'http://a.test/' },
      fold: { id: 'f-1', candidate: expect.objectContaining({ url: REF, depth: 4, kind: 'anchor' }) },
    });
  });

  it.each<[what: string, href: string, given: Partial<Candidate>]>([
    ['that is of no fold', 'http://a.test/b?other=1', {}],
    ['to which a server redirects', REF, { kind: 'redirect' }],
    ['of a sitemap', REF, { kind: 'sitemap' }],
    ['that is speculative', REF, { confidence: 'low' }],
  ])('%s is followed', async (_what, href, given) => {
    expect(await folded(href, given)).toMatchObject({ kind: 'candidate', candidate: { url: href } });
  });
});

describe('a lease', () => {
  it('needs no visit where its parameter changes nothing', async () => {
    expect(await foldOfVisit({ ...visitOf(REF, { depth: 1 }), kind: 'anchor' }, { parameterMemory })).toEqual(FOLD);
  });

  it.each([
    ['of a seed', { kind: 'seed', depth: 0 } as const],
    ['over which the program ended', { deaths: 1 } as const],
  ])('%s is visited', async (_what, given) => {
    expect(await foldOfVisit({ ...visitOf(REF, { depth: 1 }), kind: 'anchor', ...given }, { parameterMemory })).toBe(
      null,
    );
  });
});

describe('a page', () => {
  const FIGURES = { words: 3, digest: 'd' };

  async function learnt(given: Parameters<typeof pageOf>[1], figures: typeof FIGURES | null = FIGURES) {
    const seen: SeenPage[] = [];
    const unfolded: string[] = [];
    const memory = {
      ...plainParameterMemory(),
      learn: (page: SeenPage) => {
        seen.push(page);
        return Promise.resolve();
      },
      undone: () => Promise.resolve(['f-1', 'f-2']),
      takenBack: (id: string) => {
        unfolded.push(`${id} is back`);
        return Promise.resolve();
      },
    };
    const unfold = (id: string): Promise<void> => {
      unfolded.push(id);
      return Promise.resolve();
    };
    const page = pageOf('http://a.test/', given);
    await learnParameters(visit, { page, figures, links: [] }, { parameterMemory: memory, unfold });
    return { seen, unfolded };
  }

  it('teaches what it says, and has queued what that proves wrong', async () => {
    const { seen, unfolded } = await learnt({});
    expect(seen).toHaveLength(1);
    expect(unfolded).toEqual(['f-1', 'f-1 is back', 'f-2', 'f-2 is back']);
  });

  it('teaches nothing where it has no words, or broke off', async () => {
    expect((await learnt({}, null)).seen).toEqual([]);
    expect((await learnt({}, { ...FIGURES, words: 0 })).seen).toEqual([]);
    expect((await learnt({ truncated: 'disconnect' })).seen).toEqual([]);
  });
});
