/** The trap detector's view of a page, and the treatment of the page's links. */
import { describe, expect, it } from 'vitest';
import { fnv1a } from '../../../src/base/hash.ts';
import { NO_BOILERPLATE } from '../../../src/core/fingerprint/boilerplate.ts';
import { buildScope, type ScopeOptions } from '../../../src/core/scope/decide.ts';
import type { Candidate } from '../../../src/model/candidate.ts';
import type { FoundLink } from '../../../src/model/link.ts';
import {
  canonicalUrl,
  DEFAULT_URL_POLICY,
  storedCanonicalUrl,
  type UrlPolicy,
} from '../../../src/model/url/canonical-url.ts';
import { parameterRules } from '../../../src/model/url/url-parameters.ts';
import type { Novelty } from '../../../src/model/visit-commit.ts';
import type { VisitOutcome } from '../../../src/model/visit-outcome.ts';
import { judgeTrap, linksOfTrap, type NoveltySearch } from '../../../src/pipeline/novelty.ts';
import { probeRecord } from '../../../src/pipeline/probe-answer.ts';
import type {
  TrapMemory,
  TrapStanding,
  ProbeAnswer,
  ProbePlace,
  ProbeQuestion,
} from '../../../src/traps/trap-memory.ts';
import { link } from '../../support/frontier-nouns.ts';
import { anchorOf, answerOf, pageOf, visitOf } from '../../support/page.ts';
import { plainTrapMemory } from '../../support/plain-trap-memory.ts';

/** All that is asked of the scope, with these options; its seed is on the host of the pages. */
const scopeWith = (options: Partial<ScopeOptions> = {}): NoveltySearch['scope'] =>
  buildScope({ scope: 'host', include: [], exclude: [], depth: null, extraHops: 0, ...options }, [
    storedCanonicalUrl('http://a.test/find/'),
  ]);

interface Told {
  readonly scope?: Partial<ScopeOptions>;
  readonly hops?: number;
  readonly saysNew?: boolean;
  readonly showsNew?: boolean;
  readonly standing?: TrapStanding;
  readonly novelty?: Novelty;
  readonly urlPolicy?: UrlPolicy;
}

/** The verdict on one page, if the memory returns this. */
async function trapVerdict(address: string, told: Told = {}, depth = 1) {
  const { saysNew = false, showsNew = false, standing = { kind: 'none' }, novelty = 'new' } = told;
  const { scope, hops = 0, urlPolicy = DEFAULT_URL_POLICY } = told;
  const kept: ProbeAnswer[] = [];
  const probes: Candidate[] = [];
  const questions: ProbeQuestion[] = [];
  const search: NoveltySearch = {
    trapMemory: {
      ...plainTrapMemory(),
      recall: () => Promise.resolve({ saysNew, showsNew, standing }),
      keepQuestion: (question) => {
        questions.push(question);
        return Promise.resolve();
      },
      keepAnswer: (_question, answer) => {
        kept.push(answer);
        return Promise.resolve();
      },
    },
    scope: scopeWith(scope),
    urlPolicy,
    queueProbe: (probe) => {
      probes.push(probe);
      return Promise.resolve();
    },
  };
  const visit = visitOf(address, { url: storedCanonicalUrl(address), depth, hops });
  const links = [link(visit, 'http://a.test/next')];
  const own = ['No results for chair'];
  const verdict = await judgeTrap(visit, { own, novelty, links }, search);
  return {
    ...verdict,
    probes,
    questions,
    kept,
    links: linksOfTrap(verdict, links, visit).map(({ target }) => target),
  };
}

/** The result of an answer to the probe that the page at {@link FIND} sent. */
async function answered(
  outcome: VisitOutcome,
  of: ProbePlace = 'address',
  { sent = true, urlPolicy = DEFAULT_URL_POLICY }: { sent?: boolean; urlPolicy?: UrlPolicy } = {},
) {
  const kept: ProbeAnswer[] = [];
  const [question = null] = (await trapVerdict(FIND, { standing: { kind: 'probe', name: 'text 1', of } })).questions;
  const trapMemory: TrapMemory = {
    ...plainTrapMemory(),
    questionOf: () => Promise.resolve(sent ? question : null),
    keepAnswer: (_question, answer) => {
      kept.push(answer);
      return Promise.resolve();
    },
  };
  const visit = visitOf(question?.asked ?? '', { kind: 'probe', referrer: canonicalUrl(FIND) });
  const similar = { boilerplateOf: () => Promise.resolve(NO_BOILERPLATE) };
  return { record: await probeRecord(visit, outcome, { trapMemory, similar, urlPolicy }), kept };
}

const FIND = 'http://a.test/find/chair';
const ASK = { kind: 'probe', name: 'text 1', of: 'address' } as const;
/** The probe's page, with a further link. */
const captured = (text: string, href = '/find/zzz-more'): VisitOutcome => ({
  kind: 'captured',
  page: pageOf('http://a.test/find/zzz', {
    text,
    foundLinks: [anchorOf(href, 'http://a.test/find/zzz')],
  }),
});

describe('a page that says nothing new', () => {
  it('is new all the same, as an entry of a catalogue is', async () => {
    expect(await trapVerdict(FIND)).toMatchObject({ novelty: 'new', heldBecause: null, probes: [] });
  });
  it('is known where all of its text was there before', async () => {
    expect(await trapVerdict(FIND, { novelty: 'known' })).toMatchObject({ novelty: 'known' });
  });
  it('is known where its address is a choice among filters', async () => {
    expect(await trapVerdict('http://a.test/list?a=1&b=2&c=3')).toMatchObject({ novelty: 'known', heldBecause: null });
    expect(await trapVerdict('http://a.test/list?a=1&b=2&c=3', { saysNew: true })).toMatchObject({ novelty: 'new' });
  });
  it('is new where it shows a picture that no page did, though its text was there before', async () => {
    expect(await trapVerdict(FIND, { novelty: 'known', showsNew: true })).toMatchObject({ novelty: 'new' });
  });
  it('is known where its group is infinite, and its links are held back as far as it goes', async () => {
    const found = await trapVerdict(FIND, { standing: { kind: 'infinite', rule: 'no end' } });
    expect(found).toMatchObject({ novelty: 'known', heldBecause: 'no end' });
    const record = { url: 'http://a.test/next', reason: 'trap', rule: 'no end', referrer: FIND };
    expect(found.links).toEqual([{ kind: 'skipped', record, soFar: true }]);
  });
  it('has its links followed where it is a seed', async () => {
    const found = await trapVerdict(FIND, { standing: { kind: 'infinite', rule: 'no end' } }, 0);
    expect(found.links).toMatchObject([{ kind: 'candidate' }]);
  });
});

describe('where a probe is to be asked for', () => {
  it('one is queued that nobody named, with what its answer is compared with', async () => {
    const { probes, questions, kept, ...verdict } = await trapVerdict(FIND, { standing: ASK });
    expect(kept).toEqual([]);
    expect(verdict).toMatchObject({ novelty: 'new', heldBecause: null });
    const url = expect.stringMatching(/^http:\/\/a\.test\/find\/[a-z]{20}$/);
    expect(probes).toEqual([
      { url, depth: 1, redirects: 0, hops: 0, referrer: FIND, kind: 'probe', confidence: 'high' },
    ]);
    expect(questions).toMatchObject([
      { asked: probes[0]?.url, name: 'text 1', of: 'address', named: [fnv1a('http://a.test/next')] },
    ]);
  });
  it.each<[string, string, Told]>([
    ['lies outside of the scope', FIND, { standing: { ...ASK, of: 'host' }, scope: { scope: 'prefix' } }],
    ['is excluded', FIND, { standing: ASK, scope: { exclude: [/\/find\/[a-z]{20}$/] } }],
    ['would be a number that is excluded', 'http://a.test/n/7', { standing: ASK, scope: { exclude: [/\/n\/\d{9}$/] } }],
    ['is not included', FIND, { standing: ASK, scope: { include: [/chair/] } }],
    ['is beyond the links beyond the scope', 'http://b.test/x', { standing: ASK, hops: 2, scope: { extraHops: 1 } }],
  ])('none is where its address %s: the space counts as one with an end', async (_, address, told) => {
    expect(await trapVerdict(address, told)).toMatchObject({ probes: [], questions: [], kept: [{ kind: 'finite' }] });
  });
  it('one is asked for beyond the scope where its page was', async () => {
    const { probes } = await trapVerdict('http://b.test/x', { standing: ASK, hops: 1, scope: { extraHops: 1 } });
    expect(probes).toMatchObject([{ hops: 1 }]);
  });
  it('an answer that says the same shows that there is no end', async () => {
    const { record, kept } = await answered(captured('No results for zzz'));
    expect(kept).toMatchObject([{ kind: 'infinite' }]);
    expect(record).toMatchObject({
      reason: 'probe',
      rule: 'soft-404 probe for http://a.test/find/*: answered as its pages are: there is no end to them',
      referrer: FIND,
    });
  });
  it.each<[string, VisitOutcome]>([
    ['a page that says something else', captured('There is no such thing. Try the catalogue.')],
    ['a page that leads only where this one does', captured('No results for zzz', '/next')],
    ['404', { kind: 'http-error', answer: answerOf(404) }],
    ['a redirect', { kind: 'redirected', answer: answerOf(302), location: '/' }],
  ])('%s shows that there is an end', async (_, outcome) => {
    const { record, kept } = await answered(outcome);
    expect(kept).toEqual([{ kind: 'finite' }]);
    expect(record.rule).toMatch(/answered in another way than its pages are$/);
  });
  it.each<[string, Partial<FoundLink>]>([
    ['a request of a script', { kind: 'request', context: 'fetch' }],
    ['a form that is posted', { kind: 'form', context: 'form/@action POST' }],
    ['a link for programs', { kind: 'link-element', context: 'link/@href', rel: ['https://api.w.org/'] }],
  ])('%s is no page that an answer leads to: there is an end', async (_, more) => {
    const place = 'http://a.test/find/zzz';
    const foundLinks = [{ ...anchorOf('/api/find/zzz', place), ...more }];
    const page = pageOf(place, { text: 'No results for zzz', foundLinks });
    expect((await answered({ kind: 'captured', page })).kept).toEqual([{ kind: 'finite' }]);
  });
  it('an answer leads to what its links are in this crawl, without the parameters that it drops', async () => {
    const urlPolicy = { ...DEFAULT_URL_POLICY, parameters: parameterRules({ remove: ['from'], keep: [] }) };
    const outcome = captured('No results for zzz', '/next?from=zzz');
    expect((await answered(outcome, 'address', { urlPolicy })).kept).toEqual([{ kind: 'finite' }]);
    expect((await answered(outcome)).kept).toMatchObject([{ kind: 'infinite' }]);
  });
  it('one is asked for with the parameters that the crawl keeps', async () => {
    const urlPolicy = { ...DEFAULT_URL_POLICY, parameters: parameterRules({ remove: [], keep: ['sid'] }) };
    const { probes } = await trapVerdict('http://a.test/story?sid=17', { standing: ASK, urlPolicy });
    expect(probes).toMatchObject([{ url: expect.stringMatching(/\/story\?sid=\d{9}$/) }]);
  });
  it.each<[string, VisitOutcome]>([
    ['a server that gave no answer', { kind: 'timed-out', detail: 'no answer' }],
    ['a server that wants to be left alone', { kind: 'throttled', answer: answerOf(429), retryAfter: null }],
  ])('%s shows nothing', async (_, outcome) => {
    const { record, kept } = await answered(outcome);
    expect(kept).toEqual([{ kind: 'unknown' }]);
    expect(record.rule).toMatch(/not answered$/);
  });
  it('of a folder, whatever page it is answered with is kept, to hold others against it', async () => {
    expect((await answered(captured('Something else altogether'), 'folder')).kept).toMatchObject([
      { kind: 'infinite' },
    ]);
  });
  it('an answer that was kept before changes nothing, as after a crash', async () => {
    const { record, kept } = await answered(captured('No results for zzz'), 'address', { sent: false });
    expect(kept).toEqual([]);
    expect(record).toMatchObject({ reason: 'probe', rule: 'soft-404 probe: not answered' });
  });
});

it('nothing is asked of the memory for the first page of a host, nor for one without text', async () => {
  const visit = visitOf(FIND);
  const none = (): never => {
    throw new Error('asked');
  };
  const search: NoveltySearch = {
    trapMemory: { ...plainTrapMemory(), recall: none },
    queueProbe: none,
    scope: { judge: none, contains: none },
    urlPolicy: DEFAULT_URL_POLICY,
  };
  expect(await judgeTrap(visit, { own: null, novelty: 'new', links: [] }, search)).toMatchObject({ novelty: 'new' });
  expect(await judgeTrap(visit, { own: ['x'], novelty: null, links: [] }, search)).toMatchObject({ novelty: null });
});
