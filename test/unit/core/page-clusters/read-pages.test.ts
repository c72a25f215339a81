import { describe, expect, it } from 'vitest';
import { ClusterMemory, SAMPLES, type PageCluster } from '../../../../src/core/page-clusters/cluster-memory.ts';
import { COVERING } from '../../../../src/core/page-clusters/name-cover.ts';
import { ReadPages } from '../../../../src/core/page-clusters/read-pages.ts';
import type { RenderComparison } from '../../../../src/core/page-clusters/render-comparison.ts';
import { candidate } from '../../../support/frontier-nouns.ts';

const ALIKE: RenderComparison = { kind: 'alike', added: [], code: [], isClear: true, namesUnread: false };
const DIFFERS: RenderComparison = { kind: 'differs', how: 'title' };

const page = (name: string): ReturnType<typeof candidate> => candidate(`http://a.test/docs/${name}`);

function kind(names: readonly string[] = ['menu'], given: Partial<PageCluster> = {}): PageCluster {
  return { host: 'http://a.test', specific: '/docs/{n}', general: '/docs/{n}', fingerprint: 'x', names, ...given };
}

/** A memory in which these kinds of pages need no browser. */
function learnt(kinds: readonly PageCluster[] = [kind()]): ClusterMemory {
  const clusters = new ClusterMemory();
  for (const each of kinds) for (let count = 0; count < SAMPLES; count += 1) clusters.learn(each, ALIKE);
  for (const each of kinds) expect(clusters.loadModeOf(each)).toBe('static');
  return clusters;
}

function readAll(pages: ReadPages, names: readonly string[], of: PageCluster = kind()): void {
  for (const name of names) {
    pages.read(page(name), of);
    pages.ended(page(name).url);
  }
}

const urlsOf = (pages: ReadPages): readonly string[] => pages.takeBack().map(({ url }) => url);

describe('pages that were only read', () => {
  it('come back once, with the way to them, where a page of their cluster differs', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    readAll(pages, ['1', '2']);
    expect(pages.takeBack()).toEqual([]);
    clusters.learn(kind(), DIFFERS);
    expect(pages.takeBack()).toEqual([page('1'), page('2')]);
    expect(pages.takeBack()).toEqual([]);
    clusters.learn(kind(), DIFFERS);
    expect(pages.takeBack()).toEqual([]);
  });

  it('bring what was recorded of them', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    pages.read({ ...page('1'), recorded: [1, 2] }, kind());
    pages.ended(page('1').url);
    clusters.learn(kind(), DIFFERS);
    expect(pages.takeBack()).toEqual([{ ...page('1'), recorded: [1, 2] }]);
  });

  it('come back also where another process has seen the difference', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    readAll(pages, ['1']);
    clusters.note(kind(), DIFFERS);
    expect(urlsOf(pages)).toEqual([page('1').url]);
  });

  it('stay where pages are only seen to be the same, or those of other scripts or templates differ', () => {
    const other = kind(['menu'], { fingerprint: 'y' });
    const elsewhere = kind(['menu'], { specific: '/blog/{n}', general: '/blog/{n}' });
    const clusters = learnt([kind(), other, elsewhere]);
    const pages = new ReadPages([clusters]);
    readAll(pages, ['1', '2']);
    clusters.learn(kind(), ALIKE);
    clusters.learn(other, DIFFERS);
    clusters.learn(elsewhere, DIFFERS);
    expect(pages.takeBack()).toEqual([]);
  });

  it('stay where a page differs that names files which only a browser could read', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    readAll(pages, ['1']);
    clusters.learn(kind(), DIFFERS, true);
    expect(pages.takeBack()).toEqual([]);
    expect(clusters.readsOnly(kind())).toBe(false);
  });

  it('come back where they have a name that is blamed, and the others stay', () => {
    const named = kind(['menu', 'gallery']);
    const clusters = learnt();
    for (let count = 0; count < COVERING; count += 1) clusters.learn(named, ALIKE);
    for (let count = 0; count < 3 * COVERING; count += 1) clusters.learn(kind(), ALIKE);
    expect(clusters.readsOnly(named)).toBe(true);
    const pages = new ReadPages([clusters]);
    readAll(pages, ['plain']);
    readAll(pages, ['1', '2'], named);
    clusters.learn(named, DIFFERS);
    expect(urlsOf(pages)).toEqual([page('1').url, page('2').url]);
    expect(clusters.readsOnly(kind())).toBe(true);
  });

  it('come back when their visit has ended, if that is after the difference was seen', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    pages.read(page('1'), kind());
    clusters.learn(kind(), DIFFERS);
    expect(pages.takeBack()).toEqual([]);
    pages.ended(page('1').url);
    expect(urlsOf(pages)).toEqual([page('1').url]);
  });

  it('are dropped where what was read does not stand', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters]);
    pages.read(page('1'), kind());
    pages.dropped(page('1').url);
    readAll(pages, ['2']);
    pages.dropped(page('2').url);
    pages.ended(page('never-read').url);
    clusters.learn(kind(), DIFFERS);
    expect(pages.takeBack()).toEqual([]);
  });

  it('are bounded: those that were read longest ago are forgotten', () => {
    const clusters = learnt();
    const pages = new ReadPages([clusters], 3);
    readAll(pages, ['1', '2', '3']);
    readAll(pages, ['1', '4', '5']);
    clusters.learn(kind(), DIFFERS);
    expect(urlsOf(pages)).toEqual(['1', '4', '5'].map((name) => page(name).url));
  });
});

describe('a cluster memory that is asked whether a page would be only read', () => {
  it('says so without counting it', () => {
    const clusters = learnt();
    for (let count = 0; count < 100; count += 1) expect(clusters.readsOnly(kind())).toBe(true);
    expect(clusters.loadModeOf(kind())).toBe('static');
    expect(clusters.readsOnly(kind(['unheard-of']))).toBe(false);
  });
});
