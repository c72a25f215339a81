import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS_LIMIT, Learner, SAMPLES, WATCH, type PageKind } from '../../../../src/core/page-clusters/learner.ts';

const HOST = 'http://a.test';

function kind(name: string, fingerprint = 'x'): PageKind {
  return { host: HOST, fine: `/docs/${name}`, coarse: '/docs/{name}', fingerprint };
}

/** Shows pages of a kind, all of them alike, until the first that needs no browser. */
function learnt(pages = SAMPLES): Learner {
  const learner = new Learner();
  for (let page = 0; page < pages; page += 1) learner.learn(kind(`p${page}`), true);
  return learner;
}

describe('a kind of page', () => {
  it('is compared until enough of its pages were the same either way', () => {
    const learner = new Learner();
    for (let page = 0; page < SAMPLES; page += 1) {
      expect(learner.wayOf(kind(`p${page}`))).toBe('compare');
      learner.learn(kind(`p${page}`), true);
    }
    expect(learner.wayOf(kind('another'))).toBe('plain');
  });

  it('is rendered from the first page that differs on', () => {
    const learner = new Learner();
    learner.learn(kind('list'), false);
    for (let page = 0; page < 3 * SAMPLES; page += 1) learner.learn(kind('list'), true);
    expect(learner.wayOf(kind('list'))).toBe('render');
  });

  it('may differ in one of its pages and be plain in those of another name', () => {
    const learner = learnt();
    learner.learn(kind('list'), false);
    expect(learner.wayOf(kind('other'))).toBe('compare');
    for (let page = 0; page < SAMPLES; page += 1) learner.learn(kind('page{n}'), true);
    expect(learner.wayOf(kind('page{n}'))).toBe('plain');
    expect(learner.wayOf(kind('list'))).toBe('render');
  });

  it('is another with other scripts, and on another host', () => {
    const learner = learnt();
    expect(learner.wayOf(kind('p1', 'other scripts'))).toBe('compare');
    expect(learner.wayOf({ ...kind('p1'), host: 'http://b.test' })).toBe('compare');
  });

  it(`is looked at again with every ${WATCH}th page, and rendered again once one differs`, () => {
    const learner = learnt();
    const ways = Array.from({ length: 3 * WATCH }, (_, page) => learner.wayOf(kind(`q${page}`)));
    expect(ways.flatMap((way, index) => (way === 'compare' ? [index] : []))).toEqual([
      WATCH - 1,
      2 * WATCH - 1,
      3 * WATCH - 1,
    ]);
    learner.learn(kind('q9'), false);
    expect(learner.wayOf(kind('new'))).toBe('compare');
    expect(learner.wayOf(kind('q9'))).toBe('render');
  });

  it('is looked at with the next page where the one that was to be compared could not be', () => {
    const learner = learnt();
    learner.missed(kind('q'));
    expect(learner.wayOf(kind('r'))).toBe('compare');
    expect(learner.wayOf(kind('s'))).toBe('plain');
  });

  it('is never plain after one of its pages has differed, whatever follows', () => {
    const event = fc.record({ name: fc.constantFrom('a', 'b', 'c'), same: fc.boolean(), ask: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const learner = new Learner();
        const differed = new Set<string>();
        const alike = new Map<string, number>();
        for (const { name, same, ask } of events) {
          if (ask) {
            const way = learner.wayOf(kind(name));
            if (differed.has(name)) expect(way).toBe('render');
            const known = differed.size > 0 ? (alike.get(name) ?? 0) : [...alike.values()].reduce((a, b) => a + b, 0);
            if (known < SAMPLES) expect(way).not.toBe('plain');
          } else {
            learner.learn(kind(name), same);
            if (same) alike.set(name, (alike.get(name) ?? 0) + 1);
            else differed.add(name);
          }
        }
      }),
    );
  });

  it('is forgotten for newer ones at last, and learnt anew', () => {
    const learner = learnt();
    for (let index = 0; index < KINDS_LIMIT; index += 1) learner.wayOf(kind('x', `scripts ${index}`));
    expect(learner.wayOf(kind('p'))).toBe('compare');
  });
});
