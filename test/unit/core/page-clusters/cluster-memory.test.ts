import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADDED_LIMIT,
  CLUSTERS_LIMIT,
  ClusterMemory,
  SAMPLES,
  SHARED_SAMPLES,
  SHARED_TEMPLATES,
  SHARED_WATCH,
  UNREAD_SAMPLES,
  WATCH,
  type PageCluster,
} from '../../../../src/core/page-clusters/cluster-memory.ts';
import { COVERING } from '../../../../src/core/page-clusters/name-cover.ts';
import type { RenderComparison } from '../../../../src/core/page-clusters/render-comparison.ts';
import type { FoundLink } from '../../../../src/model/link.ts';

const HOST = 'http://a.test';
const ALIKE = { kind: 'alike', added: [], code: [], isClear: true, namesUnread: false } as const;
const DIFFERS: RenderComparison = { kind: 'differs', how: 'title' };

/** @param name the last part of its path: a word */
function kind(name: string, fingerprint = 'x', folder = 'docs'): PageCluster {
  return { host: HOST, specific: `/${folder}/${name}`, general: `/${folder}/{name}`, fingerprint, names: [] };
}

/** Learns equal pages of a cluster, up to the first that needs no browser. */
function learnt(pages = SAMPLES): ClusterMemory {
  const clusters = new ClusterMemory();
  for (let page = 0; page < pages; page += 1) clusters.learn(kind(`p${page}`), ALIKE);
  return clusters;
}

/** Learns one page of each of that many folders. */
function learntFolders(folders = SHARED_SAMPLES, seen: RenderComparison = ALIKE): ClusterMemory {
  const clusters = new ClusterMemory();
  for (let folder = 0; folder < folders; folder += 1) clusters.learn(kind('index', 'x', `f${folder}`), seen);
  return clusters;
}

/** Indexes of the next pages, each of another folder, that are compared. */
function comparedOf(clusters: ClusterMemory, pages: number, seen: RenderComparison = ALIKE): readonly number[] {
  return Array.from({ length: pages }, (_, page) => page).filter((page) => {
    const cluster = kind('index', 'x', `new${page}`);
    if (clusters.loadModeOf(cluster) !== 'compare') return false;
    clusters.learn(cluster, seen);
    return true;
  });
}

function linksTo(...hrefs: readonly string[]): readonly FoundLink[] {
  return hrefs.map((href) => ({
    href,
    base: HOST,
    resolved: null,
    kind: 'resource',
    confidence: 'high',
    context: 'script/@src',
    stage: 'load',
    frame: null,
    text: '',
    rel: [],
  }));
}

function added(kindOfLink: FoundLink['kind'], ...hrefs: readonly string[]): RenderComparison {
  return { ...ALIKE, added: linksTo(...hrefs).map((link) => ({ ...link, kind: kindOfLink })) };
}

describe('a page cluster', () => {
  it('is static with the final slashes that scripts write into the head of each of its pages', () => {
    const clusters = new ClusterMemory();
    const respelled = { ...ALIKE, isRespelled: true } as const;
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), respelled);
    expect([clusters.loadModeOf(kind('p')), clusters.isRespelled(kind('p'))]).toEqual(['static', true]);
    clusters.learn(kind('other'), ALIKE);
    expect([clusters.loadModeOf(kind('p')), clusters.isRespelled(kind('p'))]).toEqual(['compare', false]);
    expect(learnt().isRespelled(kind('p'))).toBe(false);
  });

  it('is compared until enough of its pages were the same either way', () => {
    const clusters = new ClusterMemory();
    for (let page = 0; page < SAMPLES; page += 1) {
      expect(clusters.loadModeOf(kind(`p${page}`))).toBe('compare');
      clusters.learn(kind(`p${page}`), ALIKE);
    }
    expect(clusters.loadModeOf(kind('another'))).toBe('static');
  });

  it('is rendered from the first page that differs on', () => {
    const clusters = new ClusterMemory();
    clusters.learn(kind('list'), DIFFERS);
    for (let page = 0; page < 3 * SAMPLES; page += 1) clusters.learn(kind('list'), ALIKE);
    expect(clusters.loadModeOf(kind('list'))).toBe('render');
  });

  it('may differ in one of its pages and be plain in those of another name', () => {
    const clusters = learnt();
    clusters.learn(kind('list'), DIFFERS);
    expect(clusters.loadModeOf(kind('other'))).toBe('compare');
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind('page{n}'), ALIKE);
    expect(clusters.loadModeOf(kind('page{n}'))).toBe('static');
    expect(clusters.loadModeOf(kind('list'))).toBe('render');
  });

  it('is another with other scripts, and on another host', () => {
    const clusters = learnt();
    expect(clusters.loadModeOf(kind('p1', 'other scripts'))).toBe('compare');
    expect(clusters.loadModeOf({ ...kind('p1'), host: 'http://b.test' })).toBe('compare');
  });

  it(`is looked at again with every ${WATCH}th page, and rendered again once one differs`, () => {
    const clusters = learnt();
    const ways = Array.from({ length: 3 * WATCH }, (_, page) => clusters.loadModeOf(kind(`q${page}`)));
    expect(ways.flatMap((way, index) => (way === 'compare' ? [index] : []))).toEqual([
      WATCH - 1,
      2 * WATCH - 1,
      3 * WATCH - 1,
    ]);
    clusters.learn(kind('q9'), DIFFERS);
    expect(clusters.loadModeOf(kind('new'))).toBe('compare');
    expect(clusters.loadModeOf(kind('q9'))).toBe('render');
  });

  it('is looked at with the next page where the one that was to be compared could not be', () => {
    const clusters = learnt();
    clusters.missed(kind('q'));
    expect(clusters.loadModeOf(kind('r'))).toBe('compare');
    expect(clusters.loadModeOf(kind('s'))).toBe('static');
  });

  it('is never plain after one of its pages has differed, whatever follows', () => {
    const event = fc.record({ name: fc.constantFrom('a', 'b', 'c'), same: fc.boolean(), ask: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const clusters = new ClusterMemory();
        const differed = new Set<string>();
        const alike = new Map<string, number>();
        for (const { name, same, ask } of events) {
          if (ask) {
            const way = clusters.loadModeOf(kind(name));
            if (differed.has(name)) expect(way).toBe('render');
            const known = differed.size > 0 ? (alike.get(name) ?? 0) : [...alike.values()].reduce((a, b) => a + b, 0);
            if (known < SAMPLES) expect(way).not.toBe('static');
          } else {
            clusters.learn(kind(name), same ? ALIKE : DIFFERS);
            if (same) alike.set(name, (alike.get(name) ?? 0) + 1);
            else differed.add(name);
          }
        }
      }),
    );
  });

  it('is forgotten for newer ones at last, and learnt anew', () => {
    const clusters = learnt();
    for (let index = 0; index < CLUSTERS_LIMIT; index += 1) clusters.loadModeOf(kind('x', `scripts ${index}`));
    expect(clusters.loadModeOf(kind('p'))).toBe('compare');
  });
});

describe('pages of many folders with the same scripts', () => {
  it('need no browser after enough of them were the same either way', () => {
    expect(learntFolders(SHARED_SAMPLES - 1).loadModeOf(kind('index', 'x', 'new'))).toBe('compare');
    expect(learntFolders().loadModeOf(kind('index', 'x', 'new'))).toBe('static');
  });

  it('are of several folders before a page of another one is taken for the like', () => {
    const clusters = learnt(3 * SHARED_SAMPLES);
    for (let folder = 1; folder < SHARED_TEMPLATES; folder += 1) {
      expect(clusters.loadModeOf(kind('index', 'x', `f${folder}`))).toBe('compare');
      clusters.learn(kind('index', 'x', `f${folder}`), ALIKE);
    }
    expect(clusters.loadModeOf(kind('index', 'x', 'new'))).toBe('static');
  });

  it('are looked at again the more rarely the more were the same', () => {
    const looked = comparedOf(learntFolders(), 300);
    const distances = looked.map((page, index) => page - (looked[index - 1] ?? -1));
    expect(distances.slice(0, 3)).toEqual([SHARED_WATCH, 17, 25]);
    expect(distances.slice(-2)).toEqual([50, 50]);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  });

  it('are compared again, folder by folder, once one of them differs', () => {
    const clusters = learntFolders();
    clusters.learn(kind('index', 'x', 'app'), DIFFERS);
    expect(clusters.loadModeOf(kind('index', 'x', 'new'))).toBe('compare');
    expect(clusters.loadModeOf(kind('index', 'x', 'app'))).toBe('render');
  });
});

describe('links that scripts add', () => {
  const PART = added('resource', `${HOST}/part.js`);

  it('need no browser where each page has the same ones', () => {
    const clusters = new ClusterMemory();
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), PART);
    expect(clusters.loadModeOf(kind('q'))).toBe('static');
    expect(clusters.addedTo(kind('q')).map(({ href }) => href)).toEqual([`${HOST}/part.js`]);
  });

  it('are seen on more pages where they lead to pages', () => {
    const clusters = new ClusterMemory();
    const more = added('anchor', `${HOST}/more/`);
    for (let page = 0; page < 2 * SAMPLES; page += 1) {
      expect(clusters.loadModeOf(kind(`p${page}`))).toBe('compare');
      clusters.learn(kind(`p${page}`), more);
    }
    expect(clusters.loadModeOf(kind('q'))).toBe('static');
  });

  it('are of no page before its cluster is known', () => {
    const clusters = new ClusterMemory();
    clusters.learn(kind('p'), PART);
    expect(clusters.addedTo(kind('p'))).toEqual([]);
  });

  it('want a browser where each page has others', () => {
    const clusters = new ClusterMemory();
    const ways = Array.from({ length: 4 }, (_, page) => {
      clusters.learn(kind('p'), added('anchor', `${HOST}/more/${page}`));
      return clusters.loadModeOf(kind('p'));
    });
    expect(ways).toEqual(['compare', 'compare', 'compare', 'render']);
  });

  it('may differ on the first page: it has less in store', () => {
    const clusters = new ClusterMemory();
    clusters.learn(kind('first'), ALIKE);
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), PART);
    expect(clusters.loadModeOf(kind('q'))).toBe('static');
  });

  it('want a browser once a page of a static cluster has another one, or none', () => {
    for (const seen of [added('resource', `${HOST}/other.js`), ALIKE]) {
      const clusters = new ClusterMemory();
      for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), PART);
      clusters.learn(kind('p9'), seen);
      expect(clusters.loadModeOf(kind('p9'))).not.toBe('static');
      expect(clusters.loadModeOf(kind('p1'))).not.toBe('static');
    }
  });

  it('are too many to be kept: the page differs', () => {
    const clusters = new ClusterMemory();
    clusters.learn(
      kind('p'),
      added('resource', ...Array.from({ length: ADDED_LIMIT + 1 }, (_, n) => `${HOST}/${n}.js`)),
    );
    expect(clusters.loadModeOf(kind('p'))).toBe('render');
  });
});

describe('code that scripts load by themselves', () => {
  const own = (page: number) => ({
    ...ALIKE,
    code: linksTo(`${HOST}/chunk-${page}.js`, `${HOST}/main.js`),
  });

  it('needs no browser though it differs from page to page; what each has is kept', () => {
    const clusters = new ClusterMemory();
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), own(page));
    expect(clusters.loadModeOf(kind('q'))).toBe('static');
    expect(clusters.addedTo(kind('q')).map(({ href }) => href)).toEqual([`${HOST}/main.js`]);
  });

  it('is compared further where its texts name something', () => {
    const clusters = new ClusterMemory();
    clusters.learn(kind('first'), { ...own(0), isClear: false });
    for (let page = 1; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), own(page));
    expect(clusters.loadModeOf(kind('q'))).toBe('compare');
    clusters.learn(kind('q'), own(9));
    expect(clusters.loadModeOf(kind('r'))).toBe('static');
    clusters.learn(kind('s'), { ...own(10), isClear: false });
    expect(clusters.loadModeOf(kind('t'))).toBe('compare');
  });
});

describe('files that a page names and nobody has read', () => {
  it('need no browser once enough pages of a static cluster had some', () => {
    const clusters = new ClusterMemory();
    const seen = { ...ALIKE, namesUnread: true };
    for (let page = 0; page < UNREAD_SAMPLES; page += 1) {
      expect(clusters.readsUnread(kind('q'))).toBe(false);
      clusters.learn(kind(`p${page}`), seen);
    }
    expect(clusters.readsUnread(kind('q'))).toBe(true);
    expect(clusters.readsUnread(kind('q', 'other scripts'))).toBe(false);
  });
});

describe('a page with other names than those that were compared', () => {
  const of = (name: string, ...names: readonly string[]): PageCluster => ({ ...kind(name), names });
  const cover = (): ClusterMemory => {
    const clusters = new ClusterMemory();
    for (let page = 0; page < SAMPLES; page += 1) {
      clusters.learn(of(`p${page}`, '.main', '.code', ...(page < COVERING ? ['.list'] : [])), ALIKE);
    }
    return clusters;
  };

  it('is compared, and its names are known once three pages with them were the same', () => {
    const clusters = cover();
    expect(clusters.loadModeOf(of('q', '.main', '.code', '.list'))).toBe('static');
    for (let page = 0; page < COVERING; page += 1) {
      expect(clusters.loadModeOf(of('q', '.main', '.code', '.tabs'))).toBe('compare');
      clusters.learn(of(`q${page}`, '.main', '.code', '.tabs'), ALIKE);
    }
    expect(clusters.loadModeOf(of('r', '.main', '.code', '.tabs'))).toBe('static');
  });

  it('is compared where it lacks what each of them had', () => {
    const clusters = cover();
    expect(clusters.loadModeOf(of('q', '.main'))).toBe('compare');
    clusters.learn(of('q', '.main'), ALIKE);
    expect(clusters.loadModeOf(of('r', '.main'))).toBe('static');
    expect(clusters.loadModeOf(of('r', '.code'))).toBe('compare');
  });

  it.each<[string, RenderComparison]>([
    ['differs', DIFFERS],
    ['has more', added('resource', `${HOST}/player.js`)],
    ['is not clear', { ...ALIKE, isClear: false }],
  ])('leaves the others as they are where it %s, and is rendered each time', (_case, seen) => {
    const clusters = cover();
    for (let page = 0; page < 3; page += 1) {
      expect(clusters.loadModeOf(of('q', '.main', '.code', '.player'))).not.toBe('static');
      clusters.learn(of('q', '.main', '.code', '.player'), seen);
    }
    expect(clusters.loadModeOf(of('r', '.main', '.code'))).toBe('static');
  });

  it('blames its rarest name where it differs though it was covered', () => {
    const clusters = cover();
    for (let page = 0; page < 5; page += 1) clusters.learn(of(`q${page}`, '.main', '.code'), ALIKE);
    expect(clusters.loadModeOf(of('r', '.main', '.code', '.list'))).toBe('static');
    clusters.learn(of('r', '.main', '.code', '.list'), DIFFERS);
    expect(clusters.loadModeOf(of('s', '.main', '.code', '.list'))).not.toBe('static');
    expect(clusters.loadModeOf(of('s', '.main', '.code'))).toBe('static');
  });

  it('ends the cluster where nothing tells it from the others', () => {
    const clusters = cover();
    clusters.learn(of('r', '.main', '.code'), DIFFERS);
    expect(clusters.loadModeOf(of('s', '.main', '.code'))).not.toBe('static');
  });
});

describe('pages of an audit', () => {
  it('are known by their template alone, and differ where scripts add something', () => {
    const clusters = new ClusterMemory({ isAudit: true });
    for (let folder = 0; folder < 2 * SHARED_SAMPLES; folder += 1)
      clusters.learn(kind('index', 'x', `f${folder}`), ALIKE);
    expect(clusters.loadModeOf(kind('index', 'x', 'new'))).toBe('compare');
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind(`p${page}`), ALIKE);
    expect(clusters.loadModeOf(kind('q'))).toBe('static');
    clusters.learn(kind('index', 'y'), added('resource', `${HOST}/part.js`));
    expect(clusters.loadModeOf(kind('index', 'y'))).toBe('render');
  });
});
