/** The effects of a page whose content was known before: on its record, its links, and the trap detector's counts. */
import { describe, expect, it } from 'vitest';
import type { CommittedLink } from '../../../src/model/visit-commit.ts';
import { withoutThreads } from '../../../src/offload/offload.ts';
import { findDuplicate, linksOfDuplicate } from '../../../src/pipeline/duplicates.ts';
import { link, skippedLink } from '../../support/frontier-nouns.ts';
import { memorySimilarityIndex } from '../../support/memory-similarity.ts';
import { visitOf } from '../../support/page.ts';

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ');

function crawl(followDuplicates = false) {
  const similar = memorySimilarityIndex(0.9);
  return async (address: string, text: string, links: readonly string[] = [], depth = 1) => {
    const visit = visitOf(address, { depth });
    const found = links.map((to) => link(visit, new URL(to, address).href));
    const verdict = await findDuplicate(visit, text, found, {
      similar,
      followDuplicates,
      offload: withoutThreads,
      signal: new AbortController().signal,
    });
    return { ...verdict, links: linksOfDuplicate(verdict, found, visit) };
  };
}

const followed = (links: readonly CommittedLink[]): readonly string[] =>
  links.flatMap(({ target }) => (target.kind === 'candidate' ? [new URL(target.candidate.url).pathname] : []));

const article = words(0, 400);
const edited = article.replace('word200 ', 'other ');
const navigation = ['/a', '/b', '/c', '/d', '/e', '/f'];

describe('a page that is 0.95 alike to one of its domain', () => {
  it('names it, brought nothing new, and has its links recorded and not followed', async () => {
    const visit = crawl();
    expect(await visit('http://a.test/one', article, navigation)).toMatchObject({
      duplicateOf: null,
      similarity: null,
      novelty: 'new',
    });
    const copy = await visit('http://www.a.test/two', edited, [...navigation, '/only-here']);
    expect(copy).toMatchObject({ duplicateOf: 'http://a.test/one', novelty: 'known' });
    expect(copy.similarity).toBeGreaterThanOrEqual(0.95);
    expect(copy.links).toHaveLength(7);
    expect(followed(copy.links)).toEqual([]);
    expect(copy.links[6]?.target).toEqual({
      kind: 'skipped',
      record: {
        url: 'http://www.a.test/only-here',
        reason: 'duplicate',
        rule: `the page is a duplicate of http://a.test/one (similarity ${copy.similarity})`,
        referrer: 'http://www.a.test/two',
      },
    });
  });

  it('has its links followed with --follow-duplicates, and is recorded as what it is', async () => {
    const visit = crawl(true);
    await visit('http://a.test/one', article);
    const copy = await visit('http://a.test/two', article, ['/only-here']);
    expect(copy).toMatchObject({ duplicateOf: 'http://a.test/one', similarity: 1, novelty: 'known' });
    expect(followed(copy.links)).toEqual(['/only-here']);
  });

  it('has its links followed where it is a seed', async () => {
    const visit = crawl();
    await visit('http://a.test/', article, ['/x'], 0);
    const second = await visit('http://www.a.test/', article, ['/x'], 0);
    expect(second).toMatchObject({ duplicateOf: 'http://a.test/', novelty: 'known' });
    expect(followed(second.links)).toEqual(['/x']);
  });

  it('settled again is the same page, and no duplicate of itself', async () => {
    const visit = crawl();
    for (let time = 0; time < 2; time += 1) {
      expect(await visit('http://a.test/one', article, ['/x'])).toMatchObject({ duplicateOf: null, novelty: 'new' });
      expect(await visit('http://a.test/two', edited, ['/x'])).toMatchObject({ duplicateOf: 'http://a.test/one' });
    }
  });

  it('leaves alone what is no candidate', async () => {
    const visit = visitOf('http://a.test/two', { depth: 1 });
    const links = [skippedLink(visit, 'http://b.test/'), link(visit, 'http://a.test/x')];
    const verdict = { duplicateOf: 'x', similarity: 1, novelty: 'known', heldBecause: 'why' } as const;
    const [out, held] = linksOfDuplicate(verdict, links, visit);
    expect(out).toEqual(links[0]);
    expect(held?.target).toMatchObject({ kind: 'skipped', record: { rule: 'why' } });
  });
});

describe('a page that is alike', () => {
  it('to a page of another domain only is recorded: whoever mirrors a page first does not keep it out', async () => {
    const visit = crawl();
    await visit('http://mirror.test/', article, navigation);
    const victim = await visit('http://victim.test/', article, navigation);
    expect(victim).toMatchObject({ duplicateOf: 'http://mirror.test/', similarity: 1, novelty: 'new' });
    expect(followed(victim.links)).toEqual(navigation);
    const copy = await visit('http://victim.test/copy', article, navigation);
    expect(copy).toMatchObject({ duplicateOf: 'http://victim.test/', novelty: 'known' });
    expect(followed(copy.links)).toEqual([]);
  });

  it('to less than 0.95 brought nothing new, and its links are followed', async () => {
    const visit = crawl();
    await visit('http://a.test/one', article, navigation);
    const part = await visit('http://a.test/two', `${article} ${words(900, 30)}`, navigation);
    expect(part.similarity).toBeLessThan(0.95);
    expect(part).toMatchObject({ duplicateOf: 'http://a.test/one', novelty: 'known' });
    expect(followed(part.links)).toEqual(navigation);
  });

  it('and shows other links, as the pages of a gallery do, costs none of them', async () => {
    const visit = crawl();
    const pictures = (from: number): string[] =>
      [...navigation, ...Array.from({ length: 20 }, (_, at) => `/photo/${from + at}`)].toSorted();
    await visit('http://a.test/gallery', article, pictures(0));
    const second = await visit('http://a.test/gallery?page=2', article, pictures(20));
    expect(second).toMatchObject({ similarity: 1, novelty: 'known' });
    expect(followed(second.links)).toEqual(pictures(20));
  });

  it('in another folder or session, with the same links below it, has them left alone', async () => {
    const visit = crawl();
    const chapters = Array.from({ length: 30 }, (_, at) => `chapter-${at}.html`);
    await visit('http://a.test/stable/', article, chapters);
    const latest = await visit('http://a.test/latest/', article, chapters);
    expect(followed(latest.links)).toEqual([]);
  });

  it('in a few words alone has links followed that the other has not', async () => {
    const visit = crawl();
    await visit('http://a.test/p/1', 'Photo back next', ['/', '/p/2']);
    const next = await visit('http://a.test/p/2', 'Photo back next', ['/', '/p/3']);
    expect(next).toMatchObject({ similarity: 1, novelty: 'known' });
    expect(followed(next.links)).toEqual(['/', '/p/3']);
    const same = await visit('http://a.test/q', 'Photo back next', ['/', '/p/2']);
    expect(followed(same.links)).toEqual([]);
  });
});

describe('a page', () => {
  it.each(['', ' \n ', '— … —'])(
    'of no words (%j) is like none, and says nothing about what it brought',
    async (text) => {
      const visit = crawl();
      for (const address of ['http://a.test/1', 'http://a.test/2']) {
        expect(await visit(address, text, ['/x'])).toMatchObject({ duplicateOf: null, novelty: null });
      }
    },
  );

  it('of a site whose menu is far longer than its texts is not taken for another one', async () => {
    const visit = crawl();
    const menu = Array.from({ length: 900 }, (_, at) => `Entry ${at} of the menu`).join('\n');
    const verdicts = [];
    for (let page = 0; page < 40; page += 1) {
      const text = `${menu.slice(0, 20_000)}\n${words(page * 1000, 60)}`;
      verdicts.push(await visit(`http://a.test/${page}`, text, navigation));
    }
    expect(verdicts.slice(8).filter(({ duplicateOf }) => duplicateOf !== null)).toEqual([]);
  });

  it('that is a copy is found among the others of such a site', async () => {
    const visit = crawl();
    const menu = Array.from({ length: 100 }, (_, at) => `Entry ${at} of the menu`).join('\n');
    const textAt = (page: number): string => `${menu}\n${words(page * 1000, 300)}`;
    for (let page = 0; page < 30; page += 1) await visit(`http://a.test/${page}`, textAt(page));
    const copy = await visit('http://a.test/copy', textAt(20).replace('word20100 ', 'other '));
    expect(copy).toMatchObject({ duplicateOf: 'http://a.test/20', novelty: 'known' });
  });

  it('of a trap is known, though by then most pages of the site are like it', async () => {
    const visit = crawl();
    const lines = Array.from({ length: 60 }, (_, at) => words(at * 100, 12)).join('\n');
    const verdicts = [];
    for (let page = 0; page < 60; page += 1) {
      verdicts.push(await visit(`http://a.test/calendar/${page}`, `${lines}\nvisitor ${1000 + page}`));
    }
    expect(verdicts.slice(1).filter(({ novelty }) => novelty !== 'known').length).toBeLessThan(3);
  });
});
