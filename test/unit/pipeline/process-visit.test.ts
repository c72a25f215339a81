import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { epochMs, milliseconds, seconds, type EpochMs } from '../../../src/base/units.ts';
import { DISCOVERERS } from '../../../src/core/links/catalogue.ts';
import { fileLink, type LinkDiscoverer } from '../../../src/core/links/discoverer.ts';
import { buildScope } from '../../../src/core/scope/decide.ts';
import type { FoundLink } from '../../../src/model/link.ts';
import type { Page } from '../../../src/model/page.ts';
import { DEFAULT_URL_POLICY, storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import type { CommittedLink, VisitCommit } from '../../../src/model/visit-commit.ts';
import type { Answer, VisitOutcome } from '../../../src/model/visit-outcome.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { withoutThreads, type Offload } from '../../../src/offload/offload.ts';
import { defineExtension } from '../../../src/pipeline/extension.ts';
import { readFile } from '../../../src/pipeline/file-reading.ts';
import { visitCommitOf, type CommitOptions } from '../../../src/pipeline/process-visit.ts';
import { createProcessors } from '../../../src/pipeline/processors.ts';
import { createSitemapBook } from '../../../src/pipeline/sitemap-book.ts';
import { memorySimilarityIndex } from '../../support/memory-similarity.ts';
import { NO_NAMES } from '../../../src/model/robots-names.ts';
import { anchorOf, answerOf, pageOf, url, visitOf } from '../../support/page.ts';
import { plainParameterMemory, plainTrapMemory } from '../../support/plain-trap-memory.ts';

const NOW = epochMs(1_700_000_000_000);
const never = new AbortController().signal;

function optionsOf(more: Partial<CommitOptions> = {}): CommitOptions {
  return {
    clock: { now: () => NOW, monotonic: () => milliseconds(0), sleep: () => Promise.resolve() },
    random: () => 0.5,
    retries: 2,
    politeness: () => ({ hostDelay: seconds(1), hostSlots: 1 }),
    scope: buildScope({ scope: 'host', include: [], exclude: [], depth: null, extraHops: 0 }, [url('http://a.test/')]),
    urlPolicy: DEFAULT_URL_POLICY,
    respectNofollow: true,
    readSitemaps: true,
    forbiddenBy: () => null,
    sitemaps: createSitemapBook(),
    similar: memorySimilarityIndex(0.9),
    trapMemory: plainTrapMemory(),
    parameterMemory: plainParameterMemory(),
    unfold: () => Promise.resolve(),
    queueProbe: () => Promise.resolve(),
    followDuplicates: false,
    robotsAgent: 'Orbweaver',
    extensions: [],
    processors: createProcessors(more.extensions ?? [], silentLog),
    log: silentLog,
    offload: withoutThreads,
    snapshots: {
      write: async () => ({ html: 'snapshots/x.html', text: null, screenshot: null, warc: null }),
      seal: async () => {},
      [Symbol.asyncDispose]: async () => {},
    },
    ...more,
  };
}

const settle = (
  outcome: VisitOutcome,
  visit: Visit = visitOf('http://a.test/'),
  options = optionsOf(),
): Promise<VisitCommit> => visitCommitOf({ visit, outcome, crawlDelay: null }, options, never);

const anchor = (href: string, more: Partial<FoundLink> = {}): FoundLink => anchorOf(href, 'http://a.test/', more);

const captured = (page: Partial<Page>): VisitOutcome => ({ kind: 'captured', page: pageOf('http://a.test/', page) });

function reasonOf(target: CommittedLink['target']): unknown {
  switch (target.kind) {
    case 'candidate':
      return target.candidate;
    case 'skipped':
      return target.record.reason;
    case 'subresource':
      return 'subresource';
  }
}

/** Treats every word of an OPML file as a link. */
const words = defineExtension({
  name: 'words',
  discoverers: [
    {
      name: 'words',
      accepts: (contentType) => contentType === 'text/x-opml',
      discover: ({ text, url: base }) =>
        text.split(' ').map((word) => fileLink(word, base, { kind: 'feed', context: 'word' })),
    },
  ],
});

describe('a captured page', () => {
  it('says that it is new or known, but not where the user wants its like followed', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const options = optionsOf({
      scope: buildScope(
        { scope: 'host', include: [], exclude: [], followTraps: [/calendar/], depth: null, extraHops: 0 },
        [url('http://a.test/')],
      ),
    });
    const noveltyOf = async (address: string): Promise<unknown> =>
      (await settle(captured({ text }), visitOf(address, { depth: 1 }), options)).novelty;
    expect(await noveltyOf('http://a.test/one')).toBe('new');
    expect(await noveltyOf('http://a.test/two')).toBe('known');
    expect(await noveltyOf('http://a.test/calendar/5')).toBe(null);
  });

  it('offers the links in scope and names the rule that skips the others', async () => {
    const { disposition: ending, links } = await settle(
      captured({ foundLinks: [anchor('/in'), anchor('http://b.test/out'), anchor('mailto:a@b.test')] }),
    );
    expect(links.map(({ target }) => reasonOf(target))).toEqual([
      {
        url: 'http://a.test/in',
        depth: 1,
        redirects: 0,
        hops: 0,
        referrer: 'http://a.test/',
        kind: 'anchor',
        confidence: 'high',
      },
      'out-of-scope',
      'unsupported-scheme',
    ]);
    expect(ending).toMatchObject({
      kind: 'visited',
      record: { outcome: 'captured', snapshot: { html: 'snapshots/x.html' } },
    });
  });

  it('tells the same link once, and another place of it again', async () => {
    const { links } = await settle(
      captured({ foundLinks: [anchor('/x'), anchor('/x'), anchor('/x', { text: 'again' })] }),
    );
    expect(links.map(({ record }) => record.text)).toEqual(['', 'again']);
  });

  it('follows a link that equals one with nofollow, whichever comes first', async () => {
    const [plain, nofollow] = [anchor('/x'), anchor('/x', { rel: ['nofollow'] })];
    const kept = async (foundLinks: readonly FoundLink[]): Promise<unknown> =>
      (await settle(captured({ foundLinks }))).links.map(({ record, target }) => [
        record.href,
        record.rel,
        target.kind,
      ]);
    const other = ['/y', [], 'candidate'];
    expect(await kept([nofollow, anchor('/y'), plain])).toEqual([['/x', [], 'candidate'], other]);
    expect(await kept([nofollow, anchor('/y'), nofollow, plain, nofollow])).toEqual([['/x', [], 'candidate'], other]);
    expect(await kept([plain, anchor('/y'), nofollow])).toEqual([['/x', [], 'candidate'], other]);
    expect(await kept([nofollow, nofollow])).toEqual([['/x', ['nofollow'], 'skipped']]);
  });

  it('has the digest of its normalised text, so that white space and case change nothing', async () => {
    const digestOf = async (text: string): Promise<unknown> => {
      const { disposition: ending } = await settle(captured({ text }));
      return ending.kind === 'visited' ? ending.record.digest : null;
    };
    expect(await digestOf('Some  WORDS\n')).toBe(await digestOf('some words'));
    expect(await digestOf('some words')).not.toBe(await digestOf('other words'));
    expect(await digestOf('some words')).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([
    ['its meta robots', { robots: ['nofollow'] }],
    ['its X-Robots-Tag', { headers: [['x-robots-tag', 'nofollow']] as const }],
  ])('has no link followed where %s says nofollow', async (_where, page) => {
    const { links } = await settle(captured({ ...page, foundLinks: [anchor('/x')] }));
    expect(links.map(({ target }) => target)).toMatchObject([{ kind: 'skipped', record: { reason: 'nofollow' } }]);
  });

  it('has rel=nofollow links followed where robots are not respected', async () => {
    const foundLinks = [anchor('/x', { rel: ['nofollow'] })];
    expect((await settle(captured({ foundLinks }))).links[0]?.target.kind).toBe('skipped');
    const free = await settle(captured({ foundLinks }), undefined, optionsOf({ respectNofollow: false }));
    expect(free.links[0]?.target.kind).toBe('candidate');
  });

  it('takes a style sheet and an icon for parts of the page, and no ways to another', async () => {
    const element = (rel: string): FoundLink =>
      anchor(`/${rel}`, { kind: 'link-element', context: 'link/@href', rel: [rel] });
    const { links } = await settle(
      captured({ foundLinks: ['stylesheet', 'icon', 'preload', 'next', 'canonical'].map(element) }),
    );
    const leading = links.filter(({ target }) => target.kind !== 'subresource');
    expect(leading.map(({ record }) => record.href)).toEqual(['/next', '/canonical']);
    expect(links).toHaveLength(5);
  });

  it('offers what was speculative as a speculative link, and judges it by the scope like a link', async () => {
    const speculative = (href: string): FoundLink => anchor(href, { kind: 'text', confidence: 'low', context: 'text' });
    const { links } = await settle(
      captured({ foundLinks: [speculative('/maybe'), speculative('http://b.test/maybe')] }),
    );
    expect(links.map(({ target }) => target)).toMatchObject([
      { kind: 'candidate', candidate: { url: 'http://a.test/maybe', kind: 'text', confidence: 'low' } },
      { kind: 'skipped', record: { reason: 'out-of-scope' } },
    ]);
    expect(links.map(({ record }) => record.confidence)).toEqual(['low', 'low']);
  });
});

describe('a text of a page', () => {
  it('that is its own address without the slash, as lists of files have it, is no link', async () => {
    const text = (href: string): FoundLink => anchor(href, { kind: 'text', confidence: 'low', context: 'text' });
    const foundLinks = [text('/pub/maps'), text('/pub/maps/north'), anchor('/pub/maps')];
    const { links } = await settle(captured({ foundLinks }), visitOf('http://a.test/pub/maps/'));
    expect(links.map(({ record }) => `${record.kind} ${record.href}`)).toEqual([
      'text /pub/maps/north',
      'anchor /pub/maps',
    ]);
  });
});

describe('a page that only a guess led to', () => {
  const guess = { ...visitOf('http://a.test/guess', { depth: 1 }), confidence: 'low' } as const;

  it('makes what it links to guesses, and leaves the lines of its links as they stand', async () => {
    const { links } = await settle(captured({ foundLinks: [anchor('/next')] }), guess);
    expect(links.map(({ target }) => reasonOf(target))).toMatchObject([
      { url: 'http://a.test/next', confidence: 'low' },
    ]);
    expect(links.map(({ record }) => record.confidence)).toEqual(['high']);
  });

  it('may be a sitemap: that is a list of its site, and makes no guesses', async () => {
    const entry = anchor('/listed', { kind: 'sitemap', context: 'urlset/loc' });
    const { links } = await settle(captured({ foundLinks: [entry] }), guess);
    expect(links.map(({ target }) => reasonOf(target))).toMatchObject([{ confidence: 'high' }]);
  });
});

describe('an answer that is no page', () => {
  const file = (contentType: string, text: string | null, more: Partial<Answer> = {}): VisitOutcome => {
    const answer = answerOf(200, { contentType, ...more });
    const body = { bytes: Buffer.from(text ?? '', 'latin1'), truncated: null };
    return text === null ? { kind: 'not-html', answer } : { kind: 'not-html', answer, body };
  };

  it('has the links of its headers', async () => {
    const headers = [['link', '</next.pdf>; rel=next']] as const;
    const { disposition: ending, links } = await settle(file('application/pdf', null, { headers }));
    expect(links).toMatchObject([{ record: { kind: 'header', to: 'http://a.test/next.pdf' } }]);
    expect(ending).toMatchObject({
      kind: 'visited',
      record: { outcome: 'not-html', bytes: null, links: { found: 1 } },
    });
  });

  it('has the links of its body, where that was read', async () => {
    const { disposition: ending, links } = await settle(
      file('text/x-opml', 'caf\u00e9', { headers: [['content-type', 'text/x-opml; charset="latin1"']] }),
      undefined,
      optionsOf({ extensions: [words] }),
    );
    expect(links).toMatchObject([{ record: { to: 'http://a.test/caf%C3%A9' }, target: { kind: 'candidate' } }]);
    expect(ending).toMatchObject({ record: { bytes: 4, links: { found: 1, parts: 0 } } });
  });

  it('has no link followed where its X-Robots-Tag says nofollow', async () => {
    const headers = [['x-robots-tag', 'nofollow']] as const;
    const { links } = await settle(
      file('text/x-opml', 'one', { headers }),
      undefined,
      optionsOf({ extensions: [words] }),
    );
    expect(links.map(({ target }) => target)).toMatchObject([{ kind: 'skipped', record: { reason: 'nofollow' } }]);
  });
});

describe('links that say the same', () => {
  it('are one, the first of them that is followed, though they be written in two ways or differ in rel', async () => {
    const foundLinks = [
      anchor('/a', { rel: ['nofollow'] }),
      anchor('/a'),
      anchor('http://a.test/a'),
      anchor('/a', { text: 'A' }),
    ];
    const { links } = await settle(captured({ foundLinks }));
    expect(links.map(({ record: { href, rel, text } }) => [href, rel, text])).toEqual([
      ['/a', [], ''],
      ['/a', [], 'A'],
    ]);
  });
});

describe('a built-in discoverer', () => {
  it('that throws is told of in the log, and costs neither the visit nor what others find', async () => {
    const broken: LinkDiscoverer = {
      name: 'broken',
      accepts: () => true,
      discover: () => {
        throw new Error('no');
      },
    };
    const answer = answerOf(200, { contentType: 'text/css', headers: [['link', '</next>; rel=next']] });
    const body = { bytes: Buffer.from('a{background:url(b.png)}'), truncated: null };
    const file = { url: 'http://a.test/', contentType: 'text/css', truncated: false, bytes: body.bytes, charset: null };
    const offload: Offload = {
      ...withoutThreads,
      run: () => Promise.resolve({ kind: 'done', value: readFile(file, [broken, ...DISCOVERERS]) as never }),
    };
    const told: unknown[] = [];
    const log = { ...silentLog, warn: (event: string, fields?: object) => void told.push([event, fields]) };
    const { disposition, links } = await settle(
      { kind: 'not-html', answer, body },
      visitOf('http://a.test/'),
      optionsOf({ offload, log }),
    );
    expect(disposition.kind).toBe('visited');
    expect(links.map(({ record }) => record.href)).toEqual(['/next', 'b.png']);
    expect(told).toEqual([
      ['discoverer failed', { extension: 'built-in', discoverer: 'broken', url: 'http://a.test/', error: 'no' }],
    ]);
  });
});

describe('an extension', () => {
  it('finds links in the page as it was when it had settled', async () => {
    const page = { finalUrl: 'http://a.test/deep/page', contentType: 'text/x-opml', html: 'one two' };
    const { links } = await settle(captured(page), undefined, optionsOf({ extensions: [words] }));
    expect(links.map(({ record }) => record.to)).toEqual(['http://a.test/deep/one', 'http://a.test/deep/two']);
  });
});

describe('a part of a page', () => {
  const part = (href: string, more: Partial<FoundLink> = {}): FoundLink =>
    anchor(href, { kind: 'resource', context: 'img/@src', ...more });
  const targetsOf = async (...foundLinks: readonly FoundLink[]): Promise<readonly string[]> => {
    const { links } = await settle(captured({ foundLinks }));
    expect(links.map(({ target }) => target)).toEqual(links.map(() => ({ kind: 'subresource' })));
    return links.map(({ record }) => record.to);
  };

  it.each([
    ['a canonical URL', '/Logo.png#x', 'http://a.test/Logo.png'],
    ['a URL of another host, which no scope judges', '//cdn.test/a.js?utm_source=x', 'http://cdn.test/a.js'],
    ['a socket', 'wss://a.test/live', 'wss://a.test/live'],
    ['a blob', 'blob:http://a.test/1-2-3', 'blob:http://a.test/1-2-3'],
    ['what is no URL, as it is written', 'http://', 'http://'],
  ])('may be %s', async (_what, href, to) => {
    expect(await targetsOf(part(href))).toEqual([to]);
  });

  it('has a long address cut: 2,048 characters of one in the web, 256 of others', async () => {
    const long = 'x'.repeat(3000);
    const lengths = await targetsOf(part(`/${long}`), part(`wss://a.test/${long}`), part(`blob:${long}`));
    expect(lengths.map((to) => to.length)).toEqual([2048, 256, 256]);
  });

  it.each(['data:image/png;base64,AAAA', 'DATA:,x', '', '#gradient', 'about:blank'])(
    'has no line where it has no address of its own: %j',
    async (href) => {
      expect(await targetsOf(part(href))).toEqual([]);
    },
  );

  it('is told once, and another place of it again', async () => {
    expect(await targetsOf(part('/x.png'), part('/x.png'), part('/x.png', { context: 'img/@srcset' }))).toHaveLength(2);
  });

  it('is counted apart from the links to pages', async () => {
    const { disposition: ending } = await settle(
      captured({ foundLinks: [part('/x.png'), part('/y.png'), anchor('/page')] }),
    );
    expect(ending).toMatchObject({ record: { links: { found: 1, parts: 2 } } });
  });
});

describe('a link out of the scope', () => {
  const out = { reason: 'out-of-scope' };
  const scope = buildScope({ scope: 'host', include: [], exclude: [/logo/], depth: null, extraHops: 0 }, [
    url('http://a.test/'),
  ]);
  const targetOf = async (href: string, more: Partial<Visit>): Promise<unknown> => {
    const options = optionsOf({ scope });
    options.sitemaps.note(url('http://a.test/s.xml'), { depth: 1, hosts: null });
    const page = captured({ foundLinks: [anchor(href)] });
    return (await settle(page, visitOf('http://a.test/', more), options)).links[0]?.target;
  };

  it.each<[string, Partial<Visit>]>([
    ['a seed', {}],
    ['what a seed redirects to', { kind: 'redirect' }],
  ])('of %s is skipped so far: another seed may redirect there', async (_what, more) => {
    expect(await targetOf('http://b.test/', more)).toMatchObject({ kind: 'skipped', soFar: true, record: out });
  });

  it.each<[string, string, Partial<Visit>]>([
    ['of another page', 'http://b.test/', { kind: 'anchor', depth: 1 }],
    ['of a sitemap', 'http://b.test/', { kind: 'redirect', url: url('http://a.test/s.xml') }],
    ['that is excluded', 'http://a.test/logo', {}],
  ])('%s is skipped for good', async (_what, href, more) => {
    const target = await targetOf(href, more);
    expect(target).toMatchObject({ kind: 'skipped', record: out });
    expect(target).not.toHaveProperty('soFar');
  });
});

describe('a redirect', () => {
  it('makes its target a candidate of the same depth, one redirect further', async () => {
    const visit = visitOf('http://a.test/old', { depth: 3, redirects: 1, kind: 'anchor' });
    const {
      disposition: ending,
      links,
      newSeeds,
    } = await settle({ kind: 'redirected', answer: answerOf(301), location: '/new' }, visit);
    expect(ending).toMatchObject({
      kind: 'visited',
      record: {
        outcome: 'redirected',
        finalUrl: 'http://a.test/new',
        redirects: [{ url: 'http://a.test/old', status: 301 }],
      },
    });
    expect(links[0]?.target).toMatchObject({
      candidate: { url: 'http://a.test/new', depth: 3, redirects: 2, kind: 'redirect' },
    });
    expect(newSeeds).toEqual([]);
  });

  it.each([
    ['http://a.test/app#/users', '/app/', 'http://a.test/app/#/users'],
    ['http://a.test/app#!users', 'http://a.test/app/', 'http://a.test/app/#!users'],
    ['http://a.test/app#/users', '/app/#/login', 'http://a.test/app/#/login'],
    ['http://a.test/app#/', '/app/', 'http://a.test/app/'],
    ['http://a.test/app?a=1#/users', '/app?a=1&sid=2', 'http://a.test/app?a=1&sid=2#/users'],
  ])('of the route %s to %s leads to %s, as in browsers', async (from, location, to) => {
    const outcome: VisitOutcome = { kind: 'redirected', answer: answerOf(301), location };
    const { disposition, links } = await settle(outcome, visitOf(from));
    expect(disposition).toMatchObject({ record: { finalUrl: to } });
    expect(links[0]).toMatchObject({ record: { href: location, to }, target: { candidate: { url: to } } });
  });

  it('of a seed widens the scope to where it leads', async () => {
    const { links, newSeeds } = await settle({
      kind: 'redirected',
      answer: answerOf(302),
      location: 'https://www.a.test/',
    });
    expect(newSeeds).toEqual(['https://www.a.test/']);
    expect(links[0]?.target.kind).toBe('candidate');
  });

  it('of a seed widens the scope for all that its own visit makes known', async () => {
    const html = '<a href="https://www.a.test/instead">here</a>';
    const answer = answerOf(301, { contentType: 'text/html' });
    const body = { bytes: Buffer.from(html), truncated: null };
    const outcome: VisitOutcome = { kind: 'redirected', answer, location: 'https://www.a.test/', body };
    const names = { ...NO_NAMES, sitemaps: ['https://www.a.test/s.xml'] };
    const { links } = await visitCommitOf(
      { visit: visitOf('http://a.test/'), outcome, crawlDelay: null, names },
      optionsOf(),
      never,
    );
    expect(links.map(({ record: { to }, target }) => [to, target.kind])).toEqual([
      ['https://www.a.test/', 'candidate'],
      ['https://www.a.test/instead', 'candidate'],
      ['https://www.a.test/s.xml', 'candidate'],
    ]);
  });

  it('of a page does not', async () => {
    const visit = visitOf('http://a.test/x', { depth: 1, kind: 'anchor' });
    const { links, newSeeds } = await settle(
      { kind: 'redirected', answer: answerOf(302), location: 'http://b.test/' },
      visit,
    );
    expect(newSeeds).toEqual([]);
    expect(links[0]?.target).toMatchObject({ kind: 'skipped', record: { reason: 'out-of-scope' } });
  });

  it('of a speculative link is a speculative link in its place', async () => {
    const visit = visitOf('http://a.test/maybe', { depth: 1, kind: 'text', confidence: 'low' });
    const { links } = await settle({ kind: 'redirected', answer: answerOf(302), location: '/x' }, visit);
    expect(links[0]).toMatchObject({ record: { confidence: 'low' }, target: { candidate: { confidence: 'low' } } });
  });

  it('after ten in a row leads no further', async () => {
    const visit = visitOf('http://a.test/r?10', { redirects: 10, kind: 'redirect' });
    const { links } = await settle({ kind: 'redirected', answer: answerOf(302), location: '/r?11' }, visit);
    expect(links[0]?.target).toMatchObject({ kind: 'skipped', record: { reason: 'trap' } });
  });

  it('to another scheme is recorded and goes nowhere', async () => {
    const { links } = await settle({ kind: 'redirected', answer: answerOf(302), location: 'itms-apps://store/1' });
    expect(links[0]?.target).toMatchObject({ kind: 'skipped', record: { reason: 'unsupported-scheme' } });
  });
});

describe('the document that comes in place of a page', () => {
  const html = '<a href="/instead">here</a><a href="/r2">again</a><img src="/sad.png">';
  const body = { bytes: Buffer.from(html), truncated: null };
  const answer = (status: number): Answer =>
    answerOf(status, { contentType: 'text/html', headers: [['link', '</start>; rel="start"']] });
  const told = ({ links }: VisitCommit): readonly string[] =>
    links.map(({ record, target }) => `${record.kind} ${record.confidence} ${record.to} ${target.kind}`);
  const guesses = [
    'header low http://a.test/start candidate',
    'anchor low http://a.test/instead candidate',
    'anchor low http://a.test/r2 candidate',
    'resource low http://a.test/sad.png subresource',
  ];

  it('makes guesses of what an error says, and counts them', async () => {
    const commit = await settle({ kind: 'http-error', answer: answer(404), body });
    expect(told(commit)).toEqual(guesses);
    expect(commit.disposition).toMatchObject({ kind: 'failed', record: { links: { found: 3, parts: 1 } } });
  });

  it('makes guesses of what a redirect says, but for its target', async () => {
    const commit = await settle({ kind: 'redirected', answer: answer(302), location: '/r2', body });
    expect(told(commit)).toEqual([
      'redirect high http://a.test/r2 candidate',
      ...guesses.filter((line) => !line.includes('/r2')),
    ]);
    expect(commit.disposition).toMatchObject({ kind: 'visited', record: { links: { found: 3, parts: 1 } } });
  });

  it('is not read before an error is final, nor of an address that was guessed', async () => {
    expect((await settle({ kind: 'http-error', answer: answer(500), body })).links).toEqual([]);
    const guessed = visitOf('http://a.test/x', { confidence: 'low', depth: 1 });
    expect((await settle({ kind: 'http-error', answer: answer(404), body }, guessed)).links).toEqual([]);
  });

  it('leads nowhere where the server forbids it', async () => {
    const forbidden = answerOf(404, { contentType: 'text/html', headers: [['x-robots-tag', 'nofollow']] });
    const { links } = await settle({ kind: 'http-error', answer: forbidden, body });
    expect(links.map(({ target }) => reasonOf(target))).toEqual(['nofollow', 'nofollow', 'subresource']);
  });
});

describe('a failure', () => {
  const timing: readonly [string, VisitOutcome, 'retry' | 'failed' | 'skipped' | 'visited'][] = [
    ['404', { kind: 'http-error', answer: answerOf(404) }, 'failed'],
    ['500', { kind: 'http-error', answer: answerOf(500) }, 'retry'],
    ['429', { kind: 'throttled', answer: answerOf(429), retryAfter: null }, 'retry'],
    ['a refused connection', { kind: 'unreachable', failure: 'refused', detail: 'refused' }, 'retry'],
    ['a wrong certificate', { kind: 'unreachable', failure: 'tls', detail: 'expired' }, 'failed'],
    ['a time-out', { kind: 'timed-out', detail: '60 s' }, 'retry'],
    ['a crash', { kind: 'crashed', detail: 'renderer' }, 'retry'],
    ['a document that is too large', { kind: 'too-large', detail: '20 MiB' }, 'failed'],
    ['robots.txt', { kind: 'disallowed', line: 'Disallow: / (line 2)' }, 'skipped'],
    ['a private address', { kind: 'blocked-address', detail: '10.0.0.1' }, 'skipped'],
    ['a PDF', { kind: 'not-html', answer: answerOf(200, { contentType: 'application/pdf' }) }, 'visited'],
  ];

  it.each(timing)('of %s ends as the table says', async (_what, outcome, ending) => {
    expect((await settle(outcome)).disposition.kind).toBe(ending);
  });

  it.each(timing.filter(([, , ending]) => ending === 'retry'))(
    'of %s is final after the last try',
    async (_what, outcome) => {
      const { disposition: ending } = await settle(outcome, visitOf('http://a.test/', { attempt: 3 }));
      expect(ending.kind).toBe('failed');
    },
  );

  it('of a browser that died again ends the URL after two of three tries, and says that it is left alone', async () => {
    const { disposition: ending } = await settle(
      { kind: 'crashed', detail: 'renderer' },
      visitOf('http://a.test/', { attempt: 2 }),
    );
    expect(ending).toMatchObject({ kind: 'failed', record: { outcome: 'crashed', detail: 'quarantined: renderer' } });
  });

  it('waits as long as the host asks for, and spares the whole host', async () => {
    const { disposition: ending, hostBackoff } = await settle({
      kind: 'throttled',
      answer: answerOf(503),
      retryAfter: seconds(120),
    });
    expect(ending).toEqual({ kind: 'retry', due: (NOW + 120_000) as EpochMs });
    expect(hostBackoff).toBe(120_000);
  });

  it('says that the host refused it, but not of a URL that is refused again', async () => {
    const throttled: VisitOutcome = { kind: 'throttled', answer: answerOf(429), retryAfter: null };
    expect(await settle(throttled)).toMatchObject({ hostThrottled: true });
    expect(await settle(throttled, visitOf('http://a.test/', { attempt: 2 }))).not.toHaveProperty('hostThrottled');
    expect(await settle({ kind: 'unreachable', failure: 'refused', detail: '' })).not.toHaveProperty('hostThrottled');
  });

  it('says of a URL that it fails again, but not where the failure is about the rate or the host', async () => {
    const again = visitOf('http://a.test/', { attempt: 2 });
    const throttled = (status: number): VisitOutcome => ({
      kind: 'throttled',
      answer: answerOf(status),
      retryAfter: null,
    });
    const timeout: VisitOutcome = { kind: 'unreachable', failure: 'timeout', detail: '' };
    expect(await settle(throttled(503), again)).toMatchObject({ failsAgain: true });
    expect(await settle(timeout, again)).toMatchObject({ failsAgain: true });
    for (const outcome of [throttled(429), { ...timeout, ofRobots: true }, { ...timeout, failure: 'refused' }] as const)
      expect(await settle(outcome, again)).not.toHaveProperty('failsAgain');
    expect(await settle(throttled(503))).not.toHaveProperty('failsAgain');
  });

  it('of a robots.txt that stays unavailable leaves the page skipped, not failed', async () => {
    const outcome: VisitOutcome = {
      kind: 'unreachable',
      failure: 'robots',
      detail: 'robots.txt answered with status 503',
    };
    expect((await settle(outcome)).disposition.kind).toBe('retry');
    const last = await settle(outcome, visitOf('http://a.test/', { attempt: 3 }));
    expect(last.disposition).toMatchObject({
      kind: 'skipped',
      record: { reason: 'disallowed-by-robots', rule: outcome.detail },
    });
  });
});

describe('a visit that asked nothing of its host', () => {
  const page = visitOf('http://a.test/');
  const disallowed: VisitOutcome = { kind: 'disallowed', line: 'Disallow: / (line 2)' };

  it.each<[string, Parameters<typeof visitCommitOf>[0], true | undefined]>([
    ['was forbidden by known rules', { visit: page, outcome: disallowed, crawlDelay: null, unasked: true }, true],
    [
      'was forbidden by rules that were fetched for it',
      { visit: page, outcome: disallowed, crawlDelay: null },
      undefined,
    ],
    [
      'is known to sign out',
      { visit: page, outcome: { kind: 'signs-out', rule: 'r', unasked: true }, crawlDelay: null },
      true,
    ],
    ['signed out', { visit: page, outcome: { kind: 'signs-out', rule: 'r' }, crawlDelay: null }, undefined],
  ])('says so, so that the host loses no time: %s', async (_what, finished, unasked) => {
    expect((await visitCommitOf(finished, optionsOf(), never)).unasked).toBe(unasked);
  });
});

describe('a soft-404 probe', () => {
  const probe = (attempt = 1): Visit => visitOf('http://a.test/20991', { kind: 'probe', attempt });

  it.each<[string, VisitOutcome, string, string | null]>([
    ['a page', captured({ foundLinks: [anchor('/more')] }), 'skipped', 'probe'],
    ['404', { kind: 'http-error', answer: answerOf(404) }, 'skipped', 'probe'],
    ['a redirect', { kind: 'redirected', answer: answerOf(301), location: '/home' }, 'skipped', 'probe'],
    ['robots.txt', { kind: 'disallowed', line: 'Disallow: / (line 2)' }, 'skipped', 'disallowed-by-robots'],
    ['a private address', { kind: 'blocked-address', detail: '10.0.0.1' }, 'skipped', 'blocked-address'],
    ['a time-out', { kind: 'timed-out', detail: '60 s' }, 'retry', null],
  ])('that is answered with %s ends as no page does, and names nothing', async (_what, outcome, kind, reason) => {
    const { disposition, links, newSeeds } = await settle(outcome, probe());
    expect(disposition).toMatchObject({ kind, ...(reason === null ? {} : { record: { reason } }) });
    expect([links, newSeeds]).toEqual([[], []]);
  });

  it('that its host does not want spares the host, and ends after the last try', async () => {
    const throttled: VisitOutcome = { kind: 'throttled', answer: answerOf(503), retryAfter: seconds(120) };
    expect(await settle(throttled, probe())).toMatchObject({ disposition: { kind: 'retry' }, hostBackoff: 120_000 });
    expect(await settle(throttled, probe(3))).toMatchObject({
      disposition: { kind: 'skipped', record: { reason: 'probe' } },
      hostBackoff: 120_000,
    });
  });
});

describe('the sitemaps that robots.txt names', () => {
  const sitemaps = ['http://a.test/s.xml', '/two.txt', 'http://elsewhere.test/s.xml'];
  const names = { ...NO_NAMES, sitemaps };
  const targets = ({ links }: VisitCommit): unknown[] =>
    links.map(({ record, target }) => [
      record.kind,
      record.context,
      record.to,
      target.kind === 'candidate' ? target.candidate.depth : target.kind,
    ]);

  it.each<[string, VisitOutcome]>([
    ['was captured', captured({})],
    ['failed', { kind: 'http-error', answer: answerOf(404) }],
    ['is forbidden', { kind: 'disallowed', line: 'Disallow: /' }],
  ])('are links of the visit that made them known, though it %s', async (_what, outcome) => {
    const visit = visitOf('http://a.test/deep', { depth: 2 });
    const settled = await visitCommitOf({ visit, outcome, crawlDelay: null, names }, optionsOf(), never);
    expect(targets(settled)).toEqual([
      ['robots', 'robots.txt', 'http://a.test/s.xml', 2],
      ['robots', 'robots.txt', 'http://a.test/two.txt', 2],
      ['robots', 'robots.txt', 'http://elsewhere.test/s.xml', 'skipped'],
    ]);
  });

  it('are read where they were moved to, though no page there is in scope', async () => {
    const narrow = { scope: 'prefix', include: [/docs/], exclude: [], depth: null, extraHops: 0 } as const;
    const options = optionsOf({ scope: buildScope(narrow, [url('http://a.test/docs/')]) });
    options.sitemaps.note(url('http://a.test/sitemap.xml'), { depth: 1, hosts: ['a.test'] });
    const visit = visitOf('http://a.test/sitemap.xml', { kind: 'robots' });
    const movedTo = (location: string): Promise<VisitCommit> =>
      settle({ kind: 'redirected', answer: answerOf(301), location }, visit, options);
    expect(targets(await movedTo('/wp-sitemap.xml'))).toEqual([
      ['redirect', '301 Location', 'http://a.test/wp-sitemap.xml', 0],
    ]);
    expect(targets(await movedTo('/'))).toEqual([['redirect', '301 Location', 'http://a.test/', 'skipped']]);
  });

  it('count as deep as where they were found, and so do those of their indexes', async () => {
    const bytes = Buffer.from('<sitemapindex><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>');
    const answer = { ...answerOf(200), contentType: 'application/xml' };
    const outcome: VisitOutcome = { kind: 'not-html', answer, body: { bytes, truncated: null } };
    const index = await settle(outcome, visitOf('http://a.test/s.xml', { kind: 'robots' }));
    expect(targets(index)).toEqual([['sitemap', 'sitemapindex/loc', 'http://a.test/1.xml', 0]]);
    const nested = await settle(outcome, visitOf('http://a.test/s.xml', { kind: 'sitemap' }));
    expect(targets(nested)).toEqual([['sitemap', 'sitemapindex/loc', 'http://a.test/1.xml', 0]]);
  });

  it('are read where their server calls them pages, at the usual place, too', async () => {
    const html = '<html><body><urlset><url><loc>http://a.test/listed?a=1&amp;b=2</loc></url></urlset></body></html>';
    const options = optionsOf();
    const named = visitOf('http://a.test/s.php', { kind: 'robots' });
    expect(targets(await settle(captured({ html }), named, options))).toEqual([]);
    options.sitemaps.note(named.url, { depth: 1, hosts: ['a.test'] });
    const entry = ['sitemap', 'urlset/loc', 'http://a.test/listed?a=1&b=2', 1];
    expect(targets(await settle(captured({ html }), named, options))).toEqual([entry]);
    const usual = visitOf('http://a.test/sitemap.xml', { kind: 'probe' });
    expect(targets(await settle(captured({ html }), usual))).toEqual([entry]);
    expect((await settle(captured({}), usual)).disposition.kind).toBe('skipped');
  });

  it('are left alone where none is to be read', async () => {
    const visit = visitOf('http://a.test/');
    const options = optionsOf({ readSitemaps: false });
    const settled = await visitCommitOf({ visit, outcome: captured({}), crawlDelay: null, names }, options, never);
    expect(targets(settled)).toEqual([]);
  });

  it('may be elsewhere after a redirect, which makes no seed of them', async () => {
    const options = optionsOf();
    options.sitemaps.note(url('http://a.test/s.xml'), { depth: 2, hosts: ['a.test'] });
    const outcome: VisitOutcome = { kind: 'redirected', answer: answerOf(301), location: 'http://www.a.test/s.xml' };
    const visit = visitOf('http://a.test/s.xml', { kind: 'redirect' });
    expect((await settle(outcome, visit, options)).newSeeds).toEqual([]);
    expect(options.sitemaps.placeOf(url('http://www.a.test/s.xml'))).toEqual({
      depth: 2,
      hosts: ['a.test', 'www.a.test'],
    });
  });
});

describe('the paths that rules of robots.txt name', () => {
  const allowed = ['/help', '/wp-admin/admin-ajax.php', '/user/logout/', '/core/misc/drupal.js', '/catalog'];
  const names = { ...NO_NAMES, paths: allowed.map((path) => ({ path, allow: true })) };
  const forbiddenBy = (path: string): string | null =>
    path.endsWith('/catalog') ? 'Disallow: /catalog (line 3)' : null;

  it('are tried where they may be pages: not what acts, serves programs, or is a file of pages', async () => {
    const finished = { visit: visitOf('http://a.test/'), outcome: captured({}), crawlDelay: null, names };
    const { links } = await visitCommitOf(finished, optionsOf({ forbiddenBy }), never);
    expect(
      links.map(({ record, target }) => [
        record.href,
        record.confidence,
        target.kind === 'skipped' ? `${target.record.reason}${target.soFar === true ? ' so far' : ''}` : target.kind,
      ]),
    ).toEqual([
      ['/help', 'low', 'candidate'],
      ['/wp-admin/admin-ajax.php', 'low', 'low-confidence so far'],
      ['/user/logout/', 'low', 'low-confidence so far'],
      ['/core/misc/drupal.js', 'low', 'low-confidence so far'],
      ['/catalog', 'low', 'disallowed-by-robots'],
    ]);
  });
});

describe('a redirect that only adds a session', () => {
  it('leads to the page with it, for there is none without', async () => {
    const outcome: VisitOutcome = { kind: 'redirected', answer: answerOf(302), location: '/a?x=1&PHPSESSID=12#part' };
    const { links } = await settle(outcome, visitOf('http://a.test/a?x=1', { kind: 'anchor', depth: 1 }));
    expect(links.map(({ target }) => reasonOf(target))).toMatchObject([
      { url: 'http://a.test/a?x=1&PHPSESSID=12', depth: 1, redirects: 1, kind: 'redirect' },
    ]);
  });

  it('ends where the server goes on giving sessions', async () => {
    const outcome: VisitOutcome = { kind: 'redirected', answer: answerOf(302), location: '/a?PHPSESSID=13' };
    const { links } = await settle(
      outcome,
      visitOf('http://a.test/a', {
        url: storedCanonicalUrl('http://a.test/a?PHPSESSID=12'),
        kind: 'redirect',
        depth: 1,
      }),
    );
    expect(links.map(({ target }) => reasonOf(target))).toMatchObject([{ url: 'http://a.test/a' }]);
  });
});

describe('a text that cannot be read to its end', () => {
  const offload: Offload = {
    run: () => Promise.resolve({ kind: 'gave-up', cause: 'deadline', detail: 'longer than 30000 ms' }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const recordOf = ({ disposition: ending }: VisitCommit): unknown =>
    ending.kind === 'visited' ? ending.record : null;

  it('leaves a page what is known of it, and its record says why', async () => {
    const visit = visitOf('http://a.test/');
    const outcome = captured({ title: 'Long', text: 'Some words', foundLinks: [anchor('/a')] });
    const commit = await settle(outcome, visit, optionsOf({ offload }));
    expect(recordOf(commit)).toMatchObject({
      outcome: 'captured',
      title: 'Long',
      words: null,
      digest: null,
      links: { found: 1 },
      detail: 'not read to its end: text to compare (deadline: longer than 30000 ms)',
    });
  });

  it('leaves a file its answer, its headers and what an extension finds', async () => {
    const answer = answerOf(200, { contentType: 'text/plain', headers: [['link', '</next>; rel=next']] });
    const body = { bytes: Buffer.from('http://a.test/named'), truncated: null };
    const extensions = [
      defineExtension({
        name: 'mine',
        discoverers: [{ name: 'all', accepts: () => true, discover: () => [anchor('/mine')] }],
      }),
    ];
    const commit = await settle(
      { kind: 'not-html', answer, body },
      visitOf('http://a.test/'),
      optionsOf({ offload, extensions }),
    );
    expect(recordOf(commit)).toMatchObject({
      outcome: 'not-html',
      bytes: 19,
      links: { found: 2 },
      detail: 'not read to its end: file (deadline: longer than 30000 ms)',
    });
  });

  it('of a visit is told with the others, five of many', async () => {
    const unread = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(recordOf(await settle(captured({ unread })))).toMatchObject({
      detail: 'not read to its end: a, b, c, d, e, and 2 more',
    });
  });

  it('of a visit whose answers were not read for links is told apart: the page itself is whole', async () => {
    const unreadAnswers = ['links of a sheet (longer than 9 characters) /a.css'];
    const detail = `answers not read for links: ${unreadAnswers[0]}`;
    expect(recordOf(await settle(captured({ unreadAnswers })))).toMatchObject({ detail });
    expect(recordOf(await settle(captured({ unread: ['a'], unreadAnswers })))).toMatchObject({
      detail: `not read to its end: a; ${detail}`,
    });
  });

  it('of a page whose controls were not all used is told with the names of the first', async () => {
    const unusedControls = { count: 5, limit: 'time' as const, names: ['Load "more"', 'Next'] };
    expect(recordOf(await settle(captured({ unusedControls })))).toMatchObject({
      detail: String.raw`controls not used: 5 ("Load \"more\"", "Next", …), as the time for a page was used up`,
    });
    const nameless = { count: 1, limit: 'actions' as const, names: [] };
    expect(recordOf(await settle(captured({ unusedControls: nameless })))).toMatchObject({
      detail: 'controls not used: 1, as the number of actions for a page was used up',
    });
    const hung = { count: 1, limit: 'hangs' as const, names: ['Next'] };
    expect(recordOf(await settle(captured({ unusedControls: hung })))).toMatchObject({
      detail: 'controls not used: 1 ("Next"), as scripts of the page hung',
    });
  });

  it('of a visit that found more links than are kept is told, with their number', async () => {
    const foundLinks = [anchor('/a'), anchor('/b')];
    expect(recordOf(await settle(captured({ foundLinks, foundLinksTotal: 2 })))).toMatchObject({ detail: null });
    expect(recordOf(await settle(captured({ foundLinks, foundLinksTotal: 12_000 })))).toMatchObject({
      detail: '2 of 12,000 links kept',
    });
  });
});

describe('a second visit', () => {
  const again = visitOf('http://a.test/', { again: true, depth: 1, kind: 'anchor' });
  const firstRead = pageOf('http://a.test/', {
    rendered: false,
    foundLinks: [
      anchor('/menu', { text: 'The menu' }),
      anchor('/gone'),
      anchor('/nav.png', { kind: 'resource', context: 'img/@src' }),
    ],
  });
  const shown = [
    anchor('/menu', { text: 'Menu' }),
    anchor('/late'),
    anchor('/menu', { kind: 'click', context: 'click' }),
  ];

  it('adds the links that its first one could not see, and counts them', async () => {
    const commit = await settle(captured({ firstRead, foundLinks: shown }), again);
    expect(commit.links.map(({ record: { to, kind } }) => `${kind} ${to}`)).toEqual([
      'anchor http://a.test/late',
      'click http://a.test/menu',
    ]);
    expect(commit).toMatchObject({
      novelty: null,
      disposition: { kind: 'visited', record: { again: true, rendered: true, links: { found: 2, parts: 0 } } },
    });
  });

  it('is compared with other pages, but never with itself', async () => {
    const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const options = optionsOf();
    const first = visitOf('http://a.test/', { depth: 1, kind: 'anchor' });
    const asked: string[] = [];
    const trapMemory = plainTrapMemory();
    const watched = {
      ...options,
      trapMemory: {
        ...trapMemory,
        recall: (...given: Parameters<typeof trapMemory.recall>) => (asked.push('recall'), trapMemory.recall(...given)),
      },
    };
    await settle(captured({ text, rendered: false }), first, watched);
    const before = asked.length;
    const commit = await settle(captured({ text, firstRead: pageOf('http://a.test/', { text }) }), again, watched);
    expect(commit.disposition).toMatchObject({ kind: 'visited', record: { duplicateOf: null, similarity: null } });
    expect(asked).toHaveLength(before);
  });

  it.each<[string, VisitOutcome]>([
    ['an error', { kind: 'http-error', answer: answerOf(404) }],
    ['a redirect', { kind: 'redirected', answer: answerOf(301), location: 'http://a.test/new' }],
    ['a page that a browser alone has seen', captured({ foundLinks: shown })],
  ])('that comes to %s brings nothing', async (_what, outcome) => {
    const commit = await settle(outcome, again);
    expect(commit).toMatchObject({ disposition: { kind: 'failed' }, links: [], newSeeds: [] });
  });

  it('is tried again as any visit', async () => {
    const commit = await settle({ kind: 'http-error', answer: answerOf(503) }, again);
    expect(commit).toMatchObject({ disposition: { kind: 'retry' }, links: [] });
  });
});
