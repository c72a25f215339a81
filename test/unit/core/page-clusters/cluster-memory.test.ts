import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLUSTERS_LIMIT,
  ClusterMemory,
  SAMPLES,
  WATCH,
  type PageCluster,
} from '../../../../src/core/page-clusters/cluster-memory.ts';

const HOST = 'http://a.test';

function kind(name: string, fingerprint = 'x'): PageCluster {
  return { host: HOST, specific: `/docs/${name}`, general: '/docs/{name}', fingerprint };
}

/** Shows pages of a cluster, all of them alike, until the first that needs no browser. */
function learnt(pages = SAMPLES): ClusterMemory {
  const clusters = new ClusterMemory();
  for (let page = 0; page < pages; page += 1) clusters.learn(kind(`p${page}`), true);
  return clusters;
}

describe('a page cluster', () => {
  it('is compared until enough of its pages were the same either way', () => {
    const clusters = new ClusterMemory();
    for (let page = 0; page < SAMPLES; page += 1) {
      expect(clusters.loadModeOf(kind(`p${page}`))).toBe('compare');
      clusters.learn(kind(`p${page}`), true);
    }
    expect(clusters.loadModeOf(kind('another'))).toBe('static');
  });

  it('is rendered from the first page that differs on', () => {
    const clusters = new ClusterMemory();
    clusters.learn(kind('list'), false);
    for (let page = 0; page < 3 * SAMPLES; page += 1) clusters.learn(kind('list'), true);
    expect(clusters.loadModeOf(kind('list'))).toBe('render');
  });

  it('may differ in one of its pages and be plain in those of another name', () => {
    const clusters = learnt();
    clusters.learn(kind('list'), false);
    expect(clusters.loadModeOf(kind('other'))).toBe('compare');
    for (let page = 0; page < SAMPLES; page += 1) clusters.learn(kind('page{n}'), true);
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
    clusters.learn(kind('q9'), false);
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
            clusters.learn(kind(name), same);
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
