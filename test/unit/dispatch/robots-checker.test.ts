import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { epochMs, milliseconds } from '../../../src/base/units.ts';
import { allowAllUrls, createRobotsChecker, type RobotsDecision } from '../../../src/dispatch/robots-checker.ts';
import type { RobotsAnswer } from '../../../src/fetch/robots-source.ts';
import { NO_NAMES } from '../../../src/model/robots-names.ts';
import type { HostKey } from '../../../src/model/url/host-key.ts';
import { url } from '../../support/page.ts';

const NOW = 1_000_000;
const never = new AbortController().signal;
const clock: Clock = {
  now: () => epochMs(NOW),
  monotonic: () => milliseconds(0),
  sleep: () => Promise.resolve(),
};

const file = (text: string, fetchedAt = NOW - 1): RobotsAnswer => ({
  kind: 'body',
  body: new TextEncoder().encode(text),
  status: 200,
  fetchedAt: epochMs(fetchedAt),
});

async function verdictOf(answer: RobotsAnswer, address: string, agent = 'Orbweaver'): Promise<RobotsDecision> {
  const source = { answerFor: () => Promise.resolve(answer) };
  return createRobotsChecker(source, agent, clock).verdict(url(address), never);
}

describe('the robots checker', () => {
  it('names the rule that forbids, and the Crawl-delay all the same', async () => {
    const answer = file('User-agent: *\nCrawl-delay: 2\nDisallow: /private\n');
    const verdict = await verdictOf(answer, 'http://one.example/private/page');
    expect(verdict).toMatchObject({ kind: 'disallowed', crawlDelay: 2000 });
    expect(verdict.kind === 'disallowed' && verdict.rule).toContain('/private');
  });

  it('names the rule that allows, too', async () => {
    const answer = file('User-agent: *\nDisallow: /private\nAllow: /private/page\n');
    const allowed = { kind: 'allowed', rule: 'Allow: /private/page (line 3)' };
    expect(await verdictOf(answer, 'http://one.example/private/page')).toMatchObject(allowed);
    expect(await verdictOf(answer, 'http://one.example/')).toMatchObject({ rule: 'no rule matches' });
  });

  it('goes by the group of its own name where there is one', async () => {
    const answer = file('User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\nCrawl-delay: 1\nDisallow: /no\n');
    expect(await verdictOf(answer, 'http://one.example/yes')).toMatchObject({ kind: 'allowed', crawlDelay: 1000 });
    expect(await verdictOf(answer, 'http://one.example/no')).toMatchObject({ kind: 'disallowed' });
    expect(await verdictOf(answer, 'http://one.example/yes', 'Other')).toMatchObject({ kind: 'disallowed' });
  });

  it.each([
    [NOW - 1, false],
    [NOW, true],
    [NOW + 5, true],
  ])('knows whether the host was asked just now (fetched at %i: %s)', async (fetchedAt, fetched) => {
    expect(await verdictOf(file('', fetchedAt), 'http://one.example/')).toMatchObject({ kind: 'allowed', fetched });
    const answer: RobotsAnswer = { kind: 'allow-all', why: 'status 404', fetchedAt: epochMs(fetchedAt) };
    expect(await verdictOf(answer, 'http://one.example/')).toEqual({
      kind: 'allowed',
      rule: 'status 404',
      crawlDelay: null,
      fetched,
      names: { sitemaps: [], paths: [], lacksSitemap: true },
    });
  });

  it.each([
    [NOW - 1, false],
    [NOW, true],
  ])('knows whether the host was asked in vain just now (tried at %i: %s)', async (triedAt, asked) => {
    const old = { ...file('User-agent: *\nDisallow: /no\n', NOW - 99_999), triedAt: epochMs(triedAt) };
    const verdict = await verdictOf(old, 'http://one.example/no');
    expect(verdict).toMatchObject({ kind: 'disallowed', fetched: false, asked });
    // the page of an allowed URL is a second request, too
    const allowed = await verdictOf(old, 'http://one.example/yes');
    expect(allowed).toMatchObject({ kind: 'allowed', fetched: asked });
  });

  it('names the sitemaps and paths of the host, whatever is said of the URL', async () => {
    const answer = file('User-agent: *\nDisallow: /no\nSitemap: http://one.example/s.xml\nSitemap: /two.txt\n', NOW);
    const sitemaps = ['http://one.example/s.xml', '/two.txt'];
    const names = { sitemaps, paths: [{ path: '/no', allow: false }], lacksSitemap: false };
    expect(await verdictOf(answer, 'http://one.example/')).toMatchObject({ kind: 'allowed', names });
    expect(await verdictOf(answer, 'http://one.example/no')).toMatchObject({
      kind: 'disallowed',
      fetched: true,
      names,
    });
    expect(await verdictOf(file('User-agent: *\n'), 'http://one.example/')).toMatchObject({
      names: { sitemaps: [], paths: [], lacksSitemap: true },
    });
  });

  it.each<[RobotsAnswer, RobotsDecision]>([
    [
      { kind: 'forbid-all', why: 'robots.txt answered with status 503' },
      { kind: 'forbidden-for-now', why: 'robots.txt answered with status 503' },
    ],
    [
      { kind: 'unreachable', failure: 'refused', detail: 'nobody listens' },
      { kind: 'unreachable', failure: 'refused', detail: 'nobody listens' },
    ],
    [
      { kind: 'blocked', detail: '10.0.0.1' },
      { kind: 'blocked', detail: '10.0.0.1' },
    ],
  ])('lets nothing through where robots.txt cannot be had: %j', async (answer, verdict) => {
    expect(await verdictOf(answer, 'http://one.example/')).toEqual(verdict);
  });

  it('keeps the rules of a host apart from those of another, and takes a new file of a host up at once', async () => {
    const files = new Map<HostKey | string, RobotsAnswer>([
      ['http://one.example', file('User-agent: *\nDisallow: /\n')],
      ['http://two.example', file('')],
    ]);
    const source = { answerFor: (host: HostKey) => Promise.resolve(files.get(host) ?? file('')) };
    const checker = createRobotsChecker(source, 'Orbweaver', clock);
    const kinds = async (): Promise<readonly string[]> => [
      (await checker.verdict(url('http://one.example/a'), never)).kind,
      (await checker.verdict(url('http://two.example/a'), never)).kind,
    ];
    expect(await kinds()).toEqual(['disallowed', 'allowed']);
    files.set('http://one.example', file(''));
    files.set('http://two.example', file('User-agent: *\nDisallow: /a\n'));
    expect(await kinds()).toEqual(['allowed', 'disallowed']);
  });

  it('tells without asking which parameters a host calls meaningless, from the moment its file was read', async () => {
    const files = new Map<HostKey | string, RobotsAnswer>([
      ['http://one.example', file('User-agent: *\nDisallow: /no\nClean-param: ref&from /shop/\n')],
    ]);
    const source = { answerFor: (host: HostKey) => Promise.resolve(files.get(host) ?? file('')) };
    const checker = createRobotsChecker(source, 'Orbweaver', clock);
    expect(checker.cleanParams('http://one.example')).toEqual([]);
    await checker.verdict(url('http://one.example/no'), never);
    await checker.verdict(url('http://two.example/'), never);
    const known = [{ names: ['ref', 'from'], path: '/shop/' }];
    expect([checker.cleanParams('http://one.example'), checker.cleanParams('http://two.example')]).toEqual([known, []]);
    files.set('http://one.example', file('User-agent: *\n'));
    await checker.verdict(url('http://one.example/'), never);
    expect(checker.cleanParams('http://one.example')).toEqual([]);
  });

  it('knows the line that forbids a URL of a host whose robots.txt was read, and asks nobody', async () => {
    const source = { answerFor: () => Promise.resolve(file('User-agent: *\nDisallow: /no\n')) };
    const gate = createRobotsChecker(source, 'Orbweaver', clock);
    const no = url('http://one.example/no');
    expect(gate.forbiddenBy(no)).toBeNull();
    await gate.verdict(url('http://one.example/'), never);
    expect(gate.forbiddenBy(no)).toBe('Disallow: /no (line 2)');
    expect(gate.forbiddenBy(url('http://one.example/yes'))).toBeNull();
    expect(gate.forbiddenBy(url('http://two.example/no'))).toBeNull();
  });

  it('is open to everything where robots.txt is not asked', async () => {
    expect(await allowAllUrls.verdict(url('http://one.example/'), never)).toEqual({
      kind: 'allowed',
      rule: null,
      crawlDelay: null,
      fetched: false,
      names: NO_NAMES,
    });
  });
});
