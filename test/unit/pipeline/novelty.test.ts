/** What the trap detector hears of a page, and what becomes of its links. */
import { describe, expect, it } from 'vitest';
import { NO_BOILERPLATE } from '../../../src/core/fingerprint/boilerplate.ts';
import type { Novelty } from '../../../src/model/visit-commit.ts';
import type { VisitOutcome } from '../../../src/model/visit-outcome.ts';
import { judgeTrap, linksHeldBack, type NoveltySearch } from '../../../src/pipeline/novelty.ts';
import type { TrapMemory, TrapStanding, ProbeAnswer } from '../../../src/traps/trap-memory.ts';
import { link } from '../../support/frontier-nouns.ts';
import { answerOf, pageOf, visitOf } from '../../support/page.ts';

const never = new AbortController().signal;

interface Told {
  readonly saysNew?: boolean;
  readonly showsNew?: boolean;
  readonly standing?: TrapStanding;
  readonly probe?: VisitOutcome | null;
  readonly novelty?: Novelty;
}

/** One page, where the memory says this of it. */
async function trapVerdict(address: string, told: Told = {}, depth = 1) {
  const { saysNew = false, showsNew = false, standing = { kind: 'none' }, probe = null, novelty = 'new' } = told;
  const asked: string[] = [];
  const kept: ProbeAnswer[] = [];
  const trapMemory: TrapMemory = {
    recall: () => Promise.resolve({ saysNew, showsNew, standing }),
    keepAnswer: (_place, _name, answer) => {
      kept.push(answer);
      return Promise.resolve();
    },
    infiniteSpaces: () => Promise.resolve([]),
  };
  const search: NoveltySearch = {
    trapMemory,
    similar: { boilerplateOf: () => Promise.resolve(NO_BOILERPLATE) },
    askFor: (url) => {
      asked.push(url);
      return Promise.resolve(probe);
    },
  };
  const visit = visitOf(address, { depth });
  const links = [link(visit, 'http://a.test/next')];
  const own = ['No results for chair'];
  const verdict = await judgeTrap(visit, { own, novelty, links }, search, never);
  return { ...verdict, asked, kept, links: linksHeldBack(verdict, links, visit).map(({ target }) => target) };
}

const FIND = 'http://a.test/find/chair';
const ASK: TrapStanding = { kind: 'probe', name: 'text 1', of: 'address' };
/** The probe's page, which leads on. */
const captured = (text: string, href = '/find/zzz-more'): VisitOutcome => ({
  kind: 'captured',
  page: pageOf('http://a.test/find/zzz', {
    text,
    foundLinks: [
      {
        href,
        base: 'http://a.test/find/zzz',
        resolved: null,
        kind: 'anchor',
        confidence: 'high',
        context: 'a/@href',
        stage: 'load',
        frame: null,
        text: '',
        rel: [],
      },
    ],
  }),
});

describe('a page that says nothing new', () => {
  it('is new all the same, as an entry of a catalogue is', async () => {
    expect(await trapVerdict(FIND)).toMatchObject({ novelty: 'new', heldBecause: null, asked: [] });
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
  it('an answer that says the same shows that there is no end', async () => {
    const found = await trapVerdict(FIND, { standing: ASK, probe: captured('No results for zzz') });
    expect(found).toMatchObject({ novelty: 'known', kept: [{ kind: 'infinite', asked: found.asked[0] }] });
    expect(found.asked).toEqual([expect.stringMatching(/^http:\/\/a\.test\/find\/[a-z]{20}$/)]);
  });
  it.each<[string, VisitOutcome]>([
    ['a page that says something else', captured('There is no such thing. Try the catalogue.')],
    ['a page that leads only where this one does', captured('No results for zzz', '/next')],
    ['404', { kind: 'http-error', answer: answerOf(404) }],
    ['a redirect', { kind: 'redirected', answer: answerOf(302), location: '/' }],
  ])('%s shows that there is an end', async (_, probe) => {
    expect(await trapVerdict(FIND, { standing: ASK, probe })).toMatchObject({
      novelty: 'new',
      kept: [{ kind: 'finite' }],
    });
  });
  it.each<[string, VisitOutcome | null]>([
    ['robots.txt that forbids it', null],
    ['a server that gave no answer', { kind: 'timed-out', detail: 'no answer' }],
    ['a server that wants to be left alone', { kind: 'throttled', answer: answerOf(429), retryAfter: null }],
  ])('%s shows nothing', async (_, probe) => {
    expect(await trapVerdict(FIND, { standing: ASK, probe })).toMatchObject({
      novelty: 'new',
      kept: [{ kind: 'unknown' }],
    });
  });
  it('of a folder, whatever page it is answered with is kept, to hold others against it', async () => {
    const standing: TrapStanding = { kind: 'probe', name: 'folder /find/', of: 'folder' };
    const found = await trapVerdict(FIND, { standing, probe: captured('Something else altogether') });
    expect(found).toMatchObject({ novelty: 'new', heldBecause: null, kept: [{ kind: 'infinite' }] });
  });
});

it('nothing is asked of the memory for the first page of a host, nor for one without text', async () => {
  const visit = visitOf(FIND);
  const none = (): never => {
    throw new Error('asked');
  };
  const search: NoveltySearch = {
    trapMemory: { recall: none, keepAnswer: none, infiniteSpaces: none },
    similar: { boilerplateOf: none },
    askFor: none,
  };
  expect(await judgeTrap(visit, { own: null, novelty: 'new', links: [] }, search, never)).toMatchObject({
    novelty: 'new',
  });
  expect(await judgeTrap(visit, { own: ['x'], novelty: null, links: [] }, search, never)).toMatchObject({
    novelty: null,
  });
});
