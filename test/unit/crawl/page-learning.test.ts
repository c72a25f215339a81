import { describe, expect, it } from 'vitest';
import { SAMPLES } from '../../../src/core/page-clusters/cluster-memory.ts';
import { ownLearning, shareLearning } from '../../../src/crawl/fleet/page-learning.ts';
import type { FoundLink } from '../../../src/model/link.ts';

const KIND = { host: 'https://a.example', specific: '/p/#', general: '/#/#', fingerprint: 'f' };
const URL_OF_PAGE = 'https://a.example/p/1';

const PICTURE: FoundLink = {
  href: 'dot.png',
  base: 'https://a.example/site.css',
  resolved: null,
  kind: 'css',
  confidence: 'high',
  context: 'style/url()',
  stage: 'load',
  frame: null,
  text: '',
  rel: [],
};

/** Two processes; what one of them tells goes to the other as JSON, as through Redis. */
function twoProcesses() {
  const [here, there] = [ownLearning(), ownLearning()];
  const [sender, receiver] = [shareLearning(here), shareLearning(there)];
  const tell = (): readonly boolean[] =>
    sender.takeChanges().map((change) => receiver.apply(JSON.parse(JSON.stringify(change))));
  return { here, there, tell, receiver };
}

describe('what one process has learnt of pages', () => {
  it('spares another one the first pages of a kind', () => {
    const { here, there, tell } = twoProcesses();
    for (let page = 0; page < SAMPLES; page += 1) here.clusters.learn(KIND, true);
    expect(there.clusters.loadModeOf(KIND)).toBe('compare');
    expect(tell()).toEqual(Array.from({ length: SAMPLES }, () => true));
    expect(there.clusters.loadModeOf(KIND)).toBe('static');
  });

  it('is not told again where it changes nothing', () => {
    const { here, tell } = twoProcesses();
    for (let page = 0; page < 3 * SAMPLES; page += 1) here.clusters.learn(KIND, true);
    expect(tell()).toHaveLength(SAMPLES);
    for (let page = 0; page < 3; page += 1) here.clusters.learn(KIND, false);
    expect(tell()).toHaveLength(1);
  });

  it('is told where a page of a static kind differs', () => {
    const { here, there, tell } = twoProcesses();
    for (let page = 0; page < SAMPLES; page += 1) here.clusters.learn(KIND, true);
    here.clusters.learn(KIND, false);
    tell();
    expect(there.clusters.loadModeOf(KIND)).toBe('render');
  });

  it('spares another one a page that is rendered for its sheet', () => {
    const { here, there, tell } = twoProcesses();
    here.known.learnSheet(PICTURE.base, [PICTURE]);
    here.known.learnSheet(PICTURE.base, [PICTURE]);
    expect(tell()).toEqual([true]);
    expect(there.known.unknownOf({ sheets: [PICTURE.base], scripts: [] })).toEqual([]);
    expect(there.known.foundLinksOf([PICTURE.base])).toEqual([PICTURE]);
  });

  it('says nothing of scripts, whose links belong to the first page that loads them', () => {
    const { here, tell } = twoProcesses();
    here.known.learnScript('https://a.example/site.js');
    expect(tell()).toEqual([]);
  });

  it('spares another one waits that were in vain, and tells of one that was not', () => {
    const { here, there, tell } = twoProcesses();
    const [ours, theirs] = [here.waits.of(URL_OF_PAGE), there.waits.of(URL_OF_PAGE)];
    while (ours.isWorth('frames')) ours.learn('frames', false);
    tell();
    expect(theirs.isWorth('frames')).toBe(false);
    ours.learn('frames', true);
    tell();
    expect(theirs.isWorth('frames')).toBe(true);
  });

  it('spares another one the try of virtual time', () => {
    const { here, there, tell } = twoProcesses();
    here.waits.of(URL_OF_PAGE).triedRealClock(false);
    tell();
    expect(there.waits.of(URL_OF_PAGE).needsRealClock).toBe(true);
  });

  it.each([
    [{ kind: 'seeds', urls: [] }],
    [{ kind: 'page-kind', cluster: KIND }],
    [{ kind: 'sheet', url: 'u', links: [{}] }],
    [null],
  ])('is not taken from %j', (change) => {
    expect(twoProcesses().receiver.apply(change)).toBe(false);
  });
});
