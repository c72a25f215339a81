import { describe, expect, it } from 'vitest';
import { sessionEvidence, siteOf, targetShape } from '../../../../src/core/sign-in/session-evidence.ts';
import type { VisitOutcome } from '../../../../src/model/visit-outcome.ts';
import { answerOf, pageOf } from '../../../support/page.ts';

const HERE = 'https://a.test/x';
const shown = (signedIn?: boolean): VisitOutcome => ({
  kind: 'captured',
  page: pageOf(HERE, signedIn === undefined ? {} : { signedIn }),
});
const redirected = (location: string): VisitOutcome => ({ kind: 'redirected', answer: answerOf(302), location });
const failed = (status: number): VisitOutcome => ({ kind: 'http-error', answer: answerOf(status) });

describe('by a mark in the page', () => {
  const known = { isMarked: null, isKnownTarget: (url: string) => url === 'https://a.test/new' };
  it.each([
    ['a page with the mark', shown(true), 'in'],
    ['a page without it', shown(false), 'doubt'],
    ['a page that could not be asked', shown(), 'doubt'],
    ['a redirect as others before', redirected('/new'), 'nothing'],
    ['a redirect to somewhere else', redirected('/other'), 'doubt'],
    ['a refusal', failed(403), 'doubt'],
    ['a request for a password', failed(401), 'doubt'],
    ['a page that is not there', failed(404), 'nothing'],
    ['no answer', { kind: 'timed-out', detail: '' }, 'nothing'],
  ] as const)('%s says: %3$s', (_what, outcome, evidence) => {
    expect(sessionEvidence(HERE, outcome, known)).toBe(evidence);
  });

  it.each([
    '/login?next=/x',
    '/users/sign_in',
    '/auth/realms/a',
    'https://login.b.test/a',
    'https://b.test/oauth2/authorize',
    '/wp-login.php',
  ])('a redirect to %s is doubtful however often it came before', (location) => {
    expect(sessionEvidence(HERE, redirected(location), { isMarked: null, isKnownTarget: () => true })).toBe('doubt');
  });

  it.each(['/authors/7', '/blog/in', '/casual', '/design-in'])('a redirect to %s is none to a log-in', (location) => {
    expect(sessionEvidence(HERE, redirected(location), { isMarked: null, isKnownTarget: () => true })).toBe('nothing');
  });
});

it('by a mark in the address, redirects tell, too', () => {
  const terms = { isMarked: (url: string) => !url.includes('/login'), isKnownTarget: () => false };
  expect(sessionEvidence(HERE, shown(), terms)).toBe('in');
  expect(sessionEvidence(HERE, redirected('/other'), terms)).toBe('nothing');
  expect(sessionEvidence(HERE, redirected('/login'), terms)).toBe('doubt');
});

describe('by a mark in the address, a redirect to a log-in on another site is doubtful, too,', () => {
  const terms = { isMarked: (url: string) => !/^https:\/\/[^/]*\/login/.test(url), isKnownTarget: () => true };
  it.each([
    ['https://b.test/oauth2/authorize?client_id=a', 'doubt'],
    ['https://login.b.test/common', 'doubt'],
    ['https://b.test/idp?SAMLRequest=fZFNT8', 'doubt'],
    ['https://b.test/adfs/ls/?wa=wsignin1.0&wtrealm=a', 'doubt'],
    ['https://b.test/shop', 'nothing'],
    ['https://www.a.test/sso/help', 'nothing'],
  ] as const)('%s: %s', (location, evidence) => {
    expect(sessionEvidence(HERE, redirected(location), terms)).toBe(evidence);
  });
});

it('targets of redirects are compared by what they have in common', () => {
  expect(targetShape('/a/1', HERE)).toBe(targetShape('/a/2', HERE));
  expect(targetShape('/a/1', HERE)).not.toBe(targetShape('/b/1', HERE));
  expect([siteOf('https://www.a.test/x'), siteOf('ftp://a.test/'), siteOf('x')]).toEqual(['a.test', null, null]);
});
