import { describe, expect, it } from 'vitest';
import { parsedJson } from '../../../src/base/safe-json.ts';
import type { Candidate } from '../../../src/model/candidate.ts';
import { storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { applyChange, recordedSitemaps } from '../../../src/pipeline/shared-sitemaps.ts';
import { createSitemapBook, type SitemapBook } from '../../../src/pipeline/sitemap-book.ts';

const url = (name: string): Candidate['url'] => storedCanonicalUrl(`https://example.org/${name}.xml`);
const sitemap = (name: string): Candidate => ({
  url: url(name),
  depth: 1,
  redirects: 0,
  hops: 0,
  referrer: url('robots'),
  kind: 'sitemap',
  confidence: 'high',
});

/** Two processes; each record of one goes to the other as JSON. */
function pair(): { readonly here: ReturnType<typeof recordedSitemaps>; readonly there: SitemapBook; pass(): number } {
  const here = recordedSitemaps(createSitemapBook({ unreadAtATime: 1 }));
  const there = createSitemapBook({ unreadAtATime: 1 });
  const pass = (): number => {
    const texts = here.takeChanges().map((change) => JSON.stringify(change));
    return texts.filter((text) => applyChange(there, parsedJson(text))).length;
  };
  return { here, there, pass };
}

describe('what one process writes into its sitemap book', () => {
  it('stands in the books of the others: places, what is taken, held and read', () => {
    const { here, there, pass } = pair();
    here.note(url('a'), { depth: 2, hosts: ['example.org'] });
    expect([here.admits(sitemap('a')), here.admits(sitemap('b'))]).toEqual([true, false]);
    expect(pass()).toBe(3);
    expect(there.placeOf(url('a'))).toEqual({ depth: 2, hosts: ['example.org'] });
    expect([there.isTaken(url('a')), there.held, there.takeHeld()]).toEqual([true, 1, null]);
    here.ended(url('a'));
    pass();
    expect(there.takeHeld()).toEqual(sitemap('b'));
    expect(there.counts()).toEqual({ named: 1, read: 1 });
  });

  it('says what was taken though others wait to be read', () => {
    const { here, there, pass } = pair();
    for (const name of ['a', 'b', 'c']) here.admits(sitemap(name));
    pass();
    expect(here.takeLeft((each) => each !== url('b'))).toEqual(sitemap('c'));
    pass();
    expect([there.isTaken(url('c')), there.held]).toEqual([true, 1]);
  });

  it('is passed on once, and nothing where nothing has changed', () => {
    const { here, pass } = pair();
    here.admits(sitemap('a'));
    here.admits(sitemap('a'));
    here.ended(url('no-sitemap'));
    expect([pass(), pass()]).toEqual([1, 0]);
  });

  it('counts for the bounds of all', () => {
    const { here, there, pass } = pair();
    for (let page = 0; page < 3; page += 1) here.budget.take('pages', 'example.org');
    here.budget.take('files', 'example.org');
    here.budget.read('example.org', 100);
    here.budget.refuse('pages');
    expect(pass()).toBe(2);
    expect(there.budget.countOf('example.org')).toBe(1);
    expect(there.budget.refused).toEqual({ files: 0, pages: 1 });
  });

  it('may come twice: the books say the same', () => {
    const { here, there } = pair();
    here.note(url('a'), { depth: 1, hosts: null });
    here.admits(sitemap('a'));
    here.admits(sitemap('b'));
    here.ended(url('a'));
    const changes = here.takeChanges();
    for (const change of [...changes, ...changes]) applyChange(there, change);
    expect([there.counts(), there.held]).toEqual([{ named: 1, read: 1 }, 1]);
  });

  it('is refused where it is none', () => {
    const { there } = pair();
    for (const change of [
      null,
      {},
      { kind: 'note', url: 7 },
      { kind: 'take', url: 'no URL' },
      { kind: 'seeds', urls: [] },
    ])
      expect(applyChange(there, change)).toBe(false);
  });
});
