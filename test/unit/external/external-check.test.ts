/** External links as an audit checks them: a real server plays many hosts, and its log is checked. Time leaps, and the DNS is ours. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditCrawl } from '../../../src/audit/audit-crawl.ts';
import type { ExternalAnswer, ExternalCheck } from '../../../src/audit/external-verdicts.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { parsedJson } from '../../../src/base/safe-json.ts';
import { epochMs, hours, milliseconds, type Milliseconds } from '../../../src/base/units.ts';
import type { NameResolver } from '../../../src/egress/gate/dns-cache.ts';
import { externalCheck } from '../../../src/external/external-check.ts';
import { documentOf, prose, storeSite } from '../../support/audited-site.ts';
import { httpOrigin } from '../../support/origin.ts';

interface LeapingClock extends Clock {
  leap(duration: Milliseconds): void;
}

/** A clock whose sleeps end at once and advance it. */
function leapingClock(): LeapingClock {
  let time = 0;
  const leap = (duration: Milliseconds): void => {
    time += duration;
  };
  return {
    leap,
    now: () => epochMs(Date.UTC(2026, 0, 2) + time),
    monotonic: () => milliseconds(time),
    sleep: async (duration, signal) => {
      signal.throwIfAborted();
      leap(duration);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface Asked {
  readonly host: string;
  /** `HEAD /path`. */
  readonly what: string;
  readonly began: number;
  ended: number;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(code, { 'content-type': 'text/plain', ...headers }).end();
  };
/** Answers by the count of requests for each address, both methods together. */
const inTurn =
  (...codes: readonly number[]): Answer =>
  (_request, response, count) => {
    response.writeHead(codes[Math.min(count, codes.length - 1)] ?? 200).end();
  };
const page =
  (html: string, code = 200): Answer =>
  (_request, response) => {
    response.writeHead(code, { 'content-type': 'text/html' }).end(html);
  };
const headRefused: Answer = (request, response) => {
  response.writeHead(request.method === 'HEAD' ? 405 : 200).end();
};
const moved = (location: string, code = 301): Answer => status(code, { location });
const WALL = documentOf('<h1>Just a moment...</h1><p>Checking your browser before you go on. Ray ID: 7</p>', {
  title: 'Just a moment...',
});

/** A DNS that resolves only the known names; all others do not exist, and the servers of `silent.test` fail. */
function namesOf(known: readonly string[]): NameResolver {
  return {
    resolve: (name) => {
      if (known.includes(name)) return Promise.resolve({ kind: 'addresses', addresses: ['127.0.0.1'], ttl: null });
      if (name === 'silent.test')
        return Promise.reject(new Error('the DNS servers did not resolve silent.test (ESERVFAIL)'));
      return Promise.resolve({ kind: 'none', detail: `the name ${name} does not exist (ENOTFOUND)` });
    },
  };
}

/** @param answers by `host/path`; any other address is a 404 */
async function openWeb(answers: Readonly<Record<string, Answer>>) {
  const clock = leapingClock();
  const log: Asked[] = [];
  const counts = new Map<string, number>();
  const origin = await httpOrigin((request, response) => {
    const host = (request.headers.host ?? '').split(':', 1)[0] ?? '';
    const place = host + (request.url ?? '');
    const count = counts.get(place) ?? 0;
    counts.set(place, count + 1);
    const began = clock.monotonic();
    const asked: Asked = {
      ...{ host, what: `${request.method} ${request.url}`, began, ended: Number.POSITIVE_INFINITY },
      headers: request.headers,
    };
    log.push(asked);
    response.once('close', () => {
      asked.ended = clock.monotonic();
    });
    (answers[place] ?? status(404))(request, response, count);
  });
  const stop = new AbortController();
  const said: string[] = [];
  const resolver = namesOf([...new Set(Object.keys(answers).map((place) => place.split('/', 1)[0] ?? ''))]);
  const check = (grants = [{ cidr: '127.0.0.0/8', port: null }]): ExternalCheck =>
    externalCheck({ grants, upstream: null, stop: stop.signal, say: (text) => said.push(text), clock, resolver });
  const urlOf = (place: string): string => `http://${place.replace('/', `:${origin.port}/`)}`;
  const ask = (places: readonly string[]): Promise<ExternalAnswer> =>
    check()(
      {
        urls: places.map(urlOf),
        known: new Map(),
        userAgent: 'Orbweaver-Test/1',
        throughProxy: false,
        withoutBrowser: false,
      },
      new AbortController().signal,
    );
  return { clock, log, stop, said, check, urlOf, ask, [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose]() };
}

const HOSTS: Readonly<Record<string, Answer>> = {
  'good.test/': status(200),
  'good.test/page': status(200),
  'good.test/old': moved('/page'),
  'good.test/today': moved('/page', 302),
  'head.test/page': headRefused,
  'login.test/': status(401),
  'forbidden.test/': status(403),
  'busy.test/': status(429),
  'social.test/': status(999),
  'patient.test/': (_request, response, count) => {
    response.writeHead(count < 2 ? 429 : 200, { 'retry-after': '20' }).end();
  },
  'flaky.test/': status(200),
  'flaky.test/page': inTurn(404, 404, 200),
  'failing.test/': status(500),
  'wall.test/': (request, response, count) =>
    (request.method === 'HEAD' ? status(405) : page(WALL))(request, response, count),
  'article.test/': page(documentOf(prose('How walls say: just a moment'))),
  'hides.test/': status(404),
  'circle.test/': moved('/'),
  'cut.test/': (request) => {
    request.socket.destroy();
  },
  'missing.test/': status(200),
  'far.test/': (request, response, count) =>
    moved(`http://missing.test:${String(request.socket.localPort)}/no`)(request, response, count),
};

const LINKS: readonly (readonly [string, string])[] = [
  ['good.test/page', 'ok'],
  ['good.test/old', 'redirected'],
  ['good.test/today', 'redirected'],
  ['head.test/page', 'ok'],
  ['login.test/', 'blocked'],
  ['forbidden.test/', 'blocked'],
  ['busy.test/', 'blocked'],
  ['social.test/', 'blocked'],
  ['patient.test/', 'ok'],
  ['flaky.test/page', 'ok'],
  ['failing.test/', 'unsure'],
  ['wall.test/', 'blocked'],
  ['article.test/', 'ok'],
  ['hides.test/page', 'unsure'],
  ['circle.test/', 'unsure'],
  ['cut.test/', 'unsure'],
  ['silent.test/', 'unsure'],
  ['missing.test/gone', 'broken'],
  ['far.test/', 'broken'],
  ['no-such-name.test/', 'broken'],
];

describe('external links', () => {
  it('are told apart by what their servers do, and their hosts are asked one request at a time, a second apart', async () => {
    await using web = await openWeb(HOSTS);
    const { records, notes } = await web.ask(LINKS.map(([place]) => place));
    expect(records.map(({ url, verdict }) => [url, verdict])).toEqual(
      LINKS.map(([place, verdict]) => [web.urlOf(place), verdict]),
    );
    expect(notes).toEqual([]);
    expect(web.said).toEqual(['Asking for 20 external links; Ctrl-C goes on without the rest.']);
    const at = (place: string) => records.find(({ url }) => url === web.urlOf(place));
    expect(at('good.test/old')).toMatchObject({
      permanent: true,
      chain: [web.urlOf('good.test/old'), web.urlOf('good.test/page')],
    });
    expect(at('good.test/today')).toMatchObject({ permanent: false });
    expect(at('wall.test/')).toMatchObject({ status: 200, detail: 'the wall of a bot protection' });
    expect(at('missing.test/gone')?.looks.map(({ method, status: code }) => `${method} ${code}`)).toEqual([
      'HEAD 404',
      'GET 404',
      'GET 404',
    ]);
    expect(at('far.test/')).toMatchObject({
      verdict: 'broken',
      chain: [web.urlOf('far.test/'), web.urlOf('missing.test/no')],
    });
    for (const host of new Set(web.log.map((each) => each.host))) {
      const own = web.log.filter((each) => each.host === host);
      const gaps = own.slice(1).map(({ began }, index) => began - (own[index]?.ended ?? 0));
      expect(Math.min(...gaps, 1000), host).toBeGreaterThanOrEqual(1000);
    }
    const names = ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'];
    for (const { headers } of web.log) {
      expect(Object.keys(headers).toSorted()).toEqual(names);
      expect(headers['user-agent']).toBe('Orbweaver-Test/1');
    }
  });

  it('of many hosts are asked side by side: one host answers when the other has been asked', async () => {
    const held: ServerResponse[] = [];
    const meet: Answer = (_request, response) => {
      held.push(response);
      if (held.length === 2) for (const each of held) each.writeHead(200, { 'content-type': 'text/plain' }).end();
    };
    await using web = await openWeb({ 'one.test/': meet, 'two.test/': meet });
    const { records } = await web.ask(['one.test/', 'two.test/']);
    expect(records.map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  });

  it('of a host that answers HEAD with nothing and 200 are judged by GET, which is asked alone when HEAD was caught', async () => {
    const lies: Answer = (request, response) => {
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
    };
    const answers = { 'lies.test/': status(200), 'lies.test/one': lies, 'lies.test/two': lies };
    await using web = await openWeb(answers);
    const { records } = await web.ask(['lies.test/one', 'lies.test/two']);
    const told = records.map(({ verdict, looks }) => [
      verdict,
      ...looks.map(({ method, status: code }) => `${method} ${code}`),
    ]);
    expect(told).toEqual([
      ['broken', 'HEAD 200', 'GET 404', 'GET 404'],
      ['broken', 'GET 404', 'GET 404'],
    ]);
  });

  it('of a host that refuses five in a row are left alone', async () => {
    const places = Array.from({ length: 8 }, (_, number) => `strict.test/${number}`);
    await using web = await openWeb(Object.fromEntries(places.map((place) => [place, status(403)])));
    const { records } = await web.ask(places);
    expect(records.map(({ verdict }) => verdict)).toEqual([...Array(5).fill('blocked'), ...Array(3).fill('not-asked')]);
    expect(web.log).toHaveLength(10);
  });

  it('of a host that shuts us out when it has answered are not broken', async () => {
    await using web = await openWeb({});
    const origin = await httpOrigin((request, response) => {
      response.writeHead(200, { connection: 'close', 'content-type': 'text/plain' }).end(() => {
        origin.server.close();
        request.socket.destroy();
      });
    });
    const urls = ['/first', '/second'].map((path) => origin.url + path);
    const question = { urls, known: new Map(), userAgent: null, throughProxy: false, withoutBrowser: false };
    const { records } = await web.check()(question, new AbortController().signal);
    expect(records.map(({ verdict }) => verdict)).toEqual(['ok', 'unsure']);
    expect(records[1]?.detail).toContain('ECONNREFUSED');
  });

  it('at private addresses are not asked, neither at once nor behind a redirect', async () => {
    await using web = await openWeb({ 'good.test/': status(200) });
    const { records } = await web.check([])(
      {
        urls: [web.urlOf('good.test/'), 'http://127.0.0.1:9/'],
        known: new Map(),
        userAgent: null,
        throughProxy: false,
        withoutBrowser: false,
      },
      new AbortController().signal,
    );
    expect(records.map(({ verdict }) => verdict)).toEqual(['not-asked', 'not-asked']);
    expect(records[0]?.detail).toContain('127.0.0.0/8');
    expect(web.log).toEqual([]);
  });

  it('are not asked past the proxy that the crawl went through', async () => {
    await using web = await openWeb({ 'good.test/': status(200) });
    const question = {
      urls: [web.urlOf('good.test/')],
      known: new Map(),
      userAgent: null,
      throughProxy: true,
      withoutBrowser: false,
    };
    const { records, notes } = await web.check()(question, new AbortController().signal);
    expect(records.map(({ verdict }) => verdict)).toEqual(['not-asked']);
    expect(notes).toEqual([expect.stringContaining('--proxy')]);
    expect(web.log).toEqual([]);
  });

  it('that an interruption comes before are not asked, and the others keep their verdicts', async () => {
    const places = ['first.test/', 'second.test/'];
    await using web = await openWeb({
      'first.test/': status(200),
      'second.test/': () => web.stop.abort(new Error('interrupted')),
    });
    const first = await web.ask(['first.test/']);
    const { records, notes } = await web.ask(places);
    expect(first.records.map(({ verdict }) => verdict)).toEqual(['ok']);
    expect(records[1]).toMatchObject({ verdict: 'not-asked', detail: 'interrupted' });
    expect(notes).toEqual([expect.stringContaining('it was interrupted')]);
  });
});

describe('an audit', () => {
  const link = (url: string): string => `<a href="${url}">more</a>`;

  it('asks once, goes by external.jsonl in the next, and asks again for what did not work when a day is over', async () => {
    await using web = await openWeb(HOSTS);
    const [gone, good, blocked] = ['missing.test/gone', 'good.test/page', 'forbidden.test/'].map(web.urlOf);
    const body = [gone, good, blocked].map((url) => link(url ?? '')).join(' ');
    await using site = await storeSite({
      pages: {
        '/': documentOf(link('/two') + prose('One') + body),
        '/two': documentOf(link('/') + prose('Two') + body),
      },
    });
    const only = ['broken-external-link'];
    const before = await auditCrawl(site.folder, { only });
    expect(before).not.toHaveProperty('external');
    expect(before.rules).toEqual([]);
    const first = await auditCrawl(site.folder, { only, external: web.check() });
    expect(first.findings.map(({ rule, target, severity }) => ({ rule, target, severity }))).toEqual([
      { rule: 'broken-external-link', target: gone, severity: 'error' },
    ]);
    expect(first.findings[0]?.sources).toMatchObject({
      count: 2,
      first: [{ url: 'https://example.org/', text: 'more', selector: expect.any(String) }, {}],
    });
    expect(first.external?.map(({ verdict, sources }) => [verdict, sources.count])).toEqual([
      ['broken', 2],
      ['ok', 2],
      ['blocked', 2],
    ]);
    const stored = (await readFile(join(site.folder, 'external.jsonl'), 'utf8')).trimEnd().split('\n');
    expect(stored.map((line) => parsedJson(line))).toMatchObject([
      { url: gone, verdict: 'broken', status: 404, looks: [{}, {}, {}], detail: 'status 404' },
      { url: good, verdict: 'ok', chain: [good], permanent: false, detail: null },
      { url: blocked, verdict: 'blocked', status: 403 },
    ]);
    const asked = web.log.length;
    const second = await auditCrawl(site.folder, { only, external: web.check() });
    const third = await auditCrawl(site.folder, { only });
    const none = await auditCrawl(site.folder, { only, external: 'none' });
    const others = await auditCrawl(site.folder, { only: ['missing-title'], external: web.check() });
    expect(web.log).toHaveLength(asked);
    expect([second.findings, second.external]).toEqual([first.findings, first.external]);
    expect([third.findings, third.external]).toEqual([first.findings, first.external]);
    expect([none.findings, none.rules, none.external, others.external]).toEqual([[], [], undefined, undefined]);
    web.clock.leap(hours(25));
    await auditCrawl(site.folder, { only, external: web.check() });
    const again = web.log.slice(asked).map(({ host, what }) => `${host} ${what}`);
    expect(again).toContain('missing.test GET /gone');
    expect(again).toContain('forbidden.test HEAD /');
    expect(again.filter((line) => line.startsWith('good.test'))).toEqual([]);
  });

  it('counts all pages of a layout that links to a broken page, and lists the first', async () => {
    await using web = await openWeb(HOSTS);
    const numbers = Array.from({ length: 130 }, (_, number) => number);
    const footer = link(web.urlOf('missing.test/gone')) + link(web.urlOf('good.test/page'));
    const pages = numbers.map((number) => [`/p${number}`, documentOf(link('/') + prose(`Page ${number}`) + footer)]);
    const start = documentOf(numbers.map((number) => link(`/p${number}`)).join('') + prose('Start') + footer);
    await using site = await storeSite({ pages: { '/': start, ...Object.fromEntries(pages) } });
    const { findings } = await auditCrawl(site.folder, { only: ['broken-external-link'], external: web.check() });
    expect(findings.map(({ url, sources }) => [url, sources.count, sources.first.length])).toEqual([
      ['https://example.org/', 131, 20],
    ]);
  });

  it('leaves out what no site needs: of 20,001 links the last, and asks for 5,000 at a time', async () => {
    await using web = await openWeb({});
    const from = '/';
    const links = Array.from({ length: 20_001 }, (_, number) => ({ from, to: `http://127.0.0.1:9/${number}` }));
    await using site = await storeSite({ pages: { '/': documentOf(prose('One')) }, links });
    web.stop.abort(new Error('interrupted'));
    const { external, notes } = await auditCrawl(site.folder, { external: web.check() });
    expect(external).toHaveLength(20_000);
    expect(external?.every(({ verdict }) => verdict === 'not-asked')).toBe(true);
    expect(notes).toEqual([
      'there are more than 20,000 external links: those found later are left out',
      '5,000 external links not asked for: it was interrupted; the next audit of this crawl goes on there',
      '15,000 external links beyond the first 5,000 not asked for: the next audit of this crawl goes on there',
    ]);
  });

  it('asks for links to other pages alone: not for parts, forms, own pages, mail, or what stands on a wall', async () => {
    await using web = await openWeb(HOSTS);
    const at = (path: string): string => web.urlOf(`good.test/${path}`);
    const body = `${link(at('page'))}<img src="${at('picture')}" alt="" width="1" height="1">${link('mailto:a@b.example')}`;
    await using site = await storeSite({
      pages: {
        '/': documentOf(link('/wall') + link('/not-visited') + prose('One') + body),
        '/wall': WALL.replace('</h1>', `</h1>${link(at('of-the-wall'))}`),
      },
      links: [
        { from: '/', to: at('form'), kind: 'form', context: 'form/@action' },
        { from: '/', to: at('guess'), confidence: 'low' },
        { from: '/', to: at('picture'), kind: 'resource', context: 'img/@src' },
      ],
    });
    await auditCrawl(site.folder, { external: web.check() });
    expect(web.log.map(({ what }) => what)).toEqual(['HEAD /page']);
  });
});
