/** A real browser opens external links that refuse plain HTTP; one server plays many hosts, and its log is checked. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NameResolver } from '../../src/egress/gate/dns-cache.ts';
import { currentEnvironment } from '../../src/crawl/crawl-environment.ts';
import { openLinkBrowser } from '../../src/crawl/opening/open-link-browser.ts';
import { externalCheck } from '../../src/external/external-check.ts';
import type { ExternalRecord } from '../../src/model/external-record.ts';
import { documentOf, prose } from '../support/audited-site.ts';
import { httpOrigin } from '../support/origin.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const html = (response: ServerResponse, code: number, text: string): void => {
  response.writeHead(code, { 'content-type': 'text/html' }).end(text);
};
const ARTICLE = documentOf(prose('The market'), { title: 'The market' });
const WALL = (script = ''): string =>
  documentOf(`<h1>Just a moment...</h1><p>Checking your browser before you go on. Ray ID: 7</p>${script}`, {
    title: 'Just a moment...',
  });
const isBrowser = ({ headers }: IncomingMessage): boolean => headers['upgrade-insecure-requests'] === '1';

const HOSTS: Readonly<Record<string, Answer>> = {
  // decides by a header that only browsers send
  'picky.test': (request, response) => html(response, isBrowser(request) ? 200 : 403, ARTICLE),
  // admits clients that its script has marked
  'script.test': (request, response) => {
    const marked = (request.headers.cookie ?? '').includes('passed=1');
    html(
      response,
      marked ? 200 : 503,
      marked ? ARTICLE : WALL('<script>document.cookie="passed=1";location.reload()</script>'),
    );
  },
  'moved.test': (request, response) => {
    if (request.url !== '/' || !isBrowser(request)) html(response, isBrowser(request) ? 200 : 429, ARTICLE);
    else response.writeHead(302, { location: '/there' }).end();
  },
  'wall.test': (_request, response) => html(response, 403, WALL()),
  'closed.test': (_request, response) => html(response, 403, documentOf('<h1>Forbidden</h1>', { title: 'Forbidden' })),
  'hidden.test': (request, response) => html(response, isBrowser(request) ? 404 : 403, '<h1>Not found</h1>'),
  'metadata.test': (request, response) => {
    if (isBrowser(request)) response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
    else html(response, 403, '');
  },
};

const resolver: NameResolver = {
  resolve: (name) =>
    Promise.resolve(
      name in HOSTS
        ? { kind: 'addresses', addresses: ['127.0.0.1'], ttl: null }
        : { kind: 'none', detail: `the name ${name} does not exist (ENOTFOUND)` },
    ),
};

describe('a link that refuses plain HTTP', () => {
  let records: ReadonlyMap<string, ExternalRecord> = new Map();
  let most = 0;
  const asked: string[] = [];
  let closing: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    const open = new Map<string, number>();
    const origin = await httpOrigin((request, response) => {
      const host = (request.headers.host ?? '').split(':', 1)[0] ?? '';
      asked.push(`${host}${request.url ?? ''}`);
      const count = (open.get(host) ?? 0) + 1;
      open.set(host, count);
      most = Math.max(most, count);
      response.once('close', () => open.set(host, (open.get(host) ?? 1) - 1));
      (HOSTS[host] ?? ((_request, unknown) => html(unknown, 404, '')))(request, response);
    });
    closing = async () => origin[Symbol.asyncDispose]();
    const check = externalCheck({
      grants: [{ cidr: '127.0.0.0/8', port: null }],
      upstream: null,
      stop: new AbortController().signal,
      say: () => {},
      openBrowser: (egress, userAgent, signal) =>
        openLinkBrowser({ asked: null, environment: currentEnvironment(), userAgent }, egress, signal),
      resolver,
    });
    const urls = [...Object.keys(HOSTS), 'wall.test/more'].map((place) => {
      const [host = '', path = ''] = place.split('/');
      return `http://${host}:${origin.port}/${path}`;
    });
    const question = {
      urls,
      known: new Map(),
      userAgent: 'Orbweaver-Test/1',
      throughProxy: false,
      withoutBrowser: false,
    };
    const answer = await check(question, new AbortController().signal);
    expect(answer.notes).toEqual([]);
    records = new Map(
      answer.records.map((record) => [record.url.replace(`:${origin.port}`, '').replace('http://', ''), record]),
    );
  }, 120_000);
  afterAll(() => closing());

  it.each([
    ['picky.test/', 'ok', 'answers a browser; plain HTTP: status 403'],
    ['script.test/', 'ok', 'answers a browser; plain HTTP: the wall of a bot protection'],
    ['moved.test/', 'redirected', 'answers a browser; plain HTTP: status 429'],
    ['wall.test/', 'blocked', 'the wall of a bot protection; in a browser: status 403'],
    ['closed.test/', 'blocked', 'status 403; in a browser: status 403'],
    // the two looks contradict each other
    ['hidden.test/', 'blocked', 'status 403; in a browser: status 404'],
    ['metadata.test/', 'blocked', expect.stringMatching(/^status 403; in a browser: /)],
  ])('%s is %s by what a browser is shown', (place, verdict, detail) => {
    const record = records.get(place);
    expect(record).toMatchObject({ verdict, detail });
    expect(record?.looks.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'browser']);
  });

  it('is not opened where its host has just shut the browser out', () => {
    expect(records.get('wall.test/more')?.looks.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
    expect(asked.filter((place) => place === 'wall.test/more')).toHaveLength(2);
  });
  it('is asked one request at a time', () => {
    expect(most).toBe(1);
  });
});
