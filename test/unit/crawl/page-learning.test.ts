import { describe, expect, it } from 'vitest';
import { ADDED_LIMIT, SAMPLES, SHARED_SAMPLES } from '../../../src/core/page-clusters/cluster-memory.ts';
import type { RenderComparison } from '../../../src/core/page-clusters/render-comparison.ts';
import { ownLearning, shareLearning } from '../../../src/crawl/fleet/page-learning.ts';
import { ANSWERED_SITE, answeredPage } from '../../support/answered-page.ts';
import type { FoundLink } from '../../../src/model/link.ts';

const KIND = { host: 'https://a.example', specific: '/p/#', general: '/#/#', fingerprint: 'f', names: ['c'] };
const ALIKE = { kind: 'alike', added: [], code: [], isClear: true, namesUnread: false } as const;
const DIFFERS: RenderComparison = { kind: 'differs', how: 'title' };
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

/** Two processes; the changes of one go to the other as JSON, as through Redis. */
function twoProcesses() {
  const [here, there] = [ownLearning({ isAudit: false }), ownLearning({ isAudit: false })];
  const [sender, receiver] = [shareLearning(here), shareLearning(there)];
  const tell = (): readonly boolean[] =>
    sender.takeChanges().map((change) => receiver.apply(JSON.parse(JSON.stringify(change))));
  return { here, there, tell, receiver };
}

describe('what one process has learnt of pages', () => {
  it('spares another one the first pages of a kind', () => {
    const { here, there, tell } = twoProcesses();
    for (let page = 0; page < SAMPLES; page += 1) here.clusters.learn(KIND, ALIKE);
    expect(there.clusters.loadModeOf(KIND)).toBe('compare');
    expect(tell()).toEqual(Array.from({ length: SAMPLES }, () => true));
    expect(there.clusters.loadModeOf(KIND)).toBe('static');
  });

  it('is not told again where it changes nothing', () => {
    const { here, tell } = twoProcesses();
    for (let page = 0; page < 3 * SHARED_SAMPLES; page += 1) here.clusters.learn(KIND, ALIKE);
    expect(tell()).toHaveLength(SHARED_SAMPLES);
    for (let page = 0; page < 3; page += 1) here.clusters.learn(KIND, DIFFERS);
    expect(tell()).toHaveLength(1);
  });

  it('is told where a page of a static kind differs', () => {
    const { here, there, tell } = twoProcesses();
    for (let page = 0; page < SAMPLES; page += 1) here.clusters.learn(KIND, ALIKE);
    here.clusters.learn(KIND, DIFFERS);
    tell();
    expect(there.clusters.loadModeOf(KIND)).toBe('render');
  });

  it('brings another one the links that scripts add to each page', () => {
    const { here, there, tell } = twoProcesses();
    for (let page = 0; page < SAMPLES; page += 1) here.clusters.learn(KIND, { ...ALIKE, added: [PICTURE] });
    tell();
    expect(there.clusters.addedTo(KIND)).toEqual([PICTURE]);
  });

  it('says of a page with too many added links only that it differs', () => {
    const { here, there, tell } = twoProcesses();
    const added = Array.from({ length: ADDED_LIMIT + 1 }, (_, index) => ({ ...PICTURE, href: `dot-${index}.png` }));
    here.clusters.learn(KIND, { ...ALIKE, added });
    expect(tell()).toEqual([true]);
    expect(there.clusters.loadModeOf(KIND)).toBe('render');
  });

  it('spares another one a page that is rendered for its sheet', () => {
    const { here, there, tell } = twoProcesses();
    here.known.learnSheet(PICTURE.base, [PICTURE]);
    here.known.learnSheet(PICTURE.base, [PICTURE]);
    expect(tell()).toEqual([true]);
    expect(there.known.unknownOf({ sheets: [PICTURE.base], scripts: [] }).sheets).toEqual([]);
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

  it('spares another one the first pages that are filled from an API', () => {
    const { here, there, tell } = twoProcesses();
    const page = `${ANSWERED_SITE}/p/9`;
    for (const id of [1, 2]) here.answerPlans.learn(...answeredPage(id), KIND);
    for (let id = 0; id < SHARED_SAMPLES; id += 1) here.answeredClusters.learn(KIND, ALIKE);
    expect([there.answerPlans.of(KIND), there.answerPlans.hopesFor(KIND)]).toEqual([undefined, false]);
    expect(tell()).not.toContain(false);
    expect(there.answerPlans.of(KIND)?.plan.addressesOf(page)).toEqual([`${ANSWERED_SITE}/api/9`]);
    expect(there.answerPlans.hopesFor(KIND)).toBe(true);
    expect(there.answeredClusters.loadModeOf(KIND)).toBe('static');
    expect(there.clusters.loadModeOf(KIND)).toBe('compare');
  });

  it('tells of a plan when it changes, and of none that is too long', () => {
    const { here, tell } = twoProcesses();
    for (let id = 1; id < 6; id += 1) here.answerPlans.learn(...answeredPage(id), KIND);
    // what the first page taught, and that a second page requests the same addresses
    expect(tell()).toEqual([true, true]);
    const answer = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`a-long-name-of-a-field-${n}`, 'Thing']));
    const long = { ...KIND, fingerprint: 'g' };
    for (let id = 1; id < 6; id += 1) here.answerPlans.learn(...answeredPage(id, { answer }), long);
    // a verdict on a plan that is not shared tells another process nothing
    here.answeredClusters.learn(long, ALIKE);
    expect(tell()).toEqual([]);
    here.answeredClusters.learn(KIND, ALIKE);
    expect(tell()).toEqual([true]);
  });

  it.each([
    [{ kind: 'answer-plan', cluster: KIND, learnt: { addresses: {}, requestLinks: [], links: [], shown: [] } }],
    [{ kind: 'seeds', urls: [] }],
    [{ kind: 'page-kind', cluster: KIND }],
    [{ kind: 'page-kind', cluster: KIND, seen: { kind: 'alike', added: [{}] } }],
    [{ kind: 'sheet', url: 'u', links: [{}] }],
    [null],
  ])('is not taken from %j', (change) => {
    expect(twoProcesses().receiver.apply(change)).toBe(false);
  });
});
