/** Origins to which whole crawls send the user's headers: links, redirects and files that lead to other origins. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { forecastCrawl } from '../../src/crawl/forecast/forecast-crawl.ts';
import type { StartOptions } from '../../src/crawl/start-crawl.ts';
import { runCrawl } from '../support/crawl-run.ts';
import { openReceivers, ROLES, SECRETS, type Receivers } from '../support/header-receivers.ts';

const headers = Object.entries(SECRETS).map(([name, value]) => `${name}: ${value}`);
/** Roles on other origins, without `scheme`: it needs a trusted certificate. */
const OTHERS = ROLES.filter((role) => role !== 'scheme' && role !== 'named');

function answering(receivers: () => Receivers) {
  return (role: string, request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    const at = (to: string): string => receivers().origins[to] ?? '';
    const html = (body: string): unknown => response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    const redirect = /^\/moved-(\d+)-(\w+)$/.exec(path);
    if (redirect !== null) {
      response.writeHead(Number(redirect[1]), { location: `${at(redirect[2] ?? '')}/landed-${redirect[1]}` }).end();
    } else if (path === '/robots.txt') {
      const sitemap = role === 'named' ? `Sitemap: ${at('named')}/sitemap.xml\n` : '';
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`User-agent: *\nAllow: /\n${sitemap}`);
    } else if (path === '/sitemap.xml') {
      const urls = ['named', ...OTHERS].map((to) => `<url><loc>${at(to)}/from-sitemap</loc></url>`).join('');
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${urls}</urlset>`);
    } else if (path === '/') {
      const links = OTHERS.map((to) => `<a href="${at(to)}/linked">x</a><a href="/moved-302-${to}">y</a>`);
      html(`<title>home</title><p>${links.join(' ')} <a href=/own>own</a>`);
    } else if (path === '/own') {
      html(
        `<title>own</title><script>${OTHERS.map((to) => `fetch('${at(to)}/part',{mode:'no-cors'})`).join(';')}</script>`,
      );
    } else html(`<title>${path}</title><p>${role}`);
  };
}

interface Told {
  readonly notes: readonly string[];
  /** Roles that received any of the secrets. @param path of the requests that count; left out: all do */
  readonly heard: (path?: RegExp) => readonly string[];
  /** Roles that received any request. */
  readonly asked: (path?: RegExp) => readonly string[];
}

async function crawlWith(options: (receivers: Receivers) => StartOptions): Promise<Told> {
  await using receivers: Receivers = await openReceivers(
    'http',
    answering(() => receivers),
  );
  const { report } = await runCrawl({
    headers,
    delay: 0,
    allowPrivate: ['127.0.0.0/8', '::1'],
    ...options(receivers),
  });
  const { requests } = receivers;
  const roles = (all: typeof requests, of: RegExp): readonly string[] =>
    ROLES.filter((role) => all.some((each) => each.role === role && of.test(each.path)));
  const heard = requests.filter(({ secrets }) => secrets.length > 0);
  return {
    notes: report.notes,
    asked: (path = /^/) => roles(requests, path),
    heard: (path = /^/) => roles(heard, path),
  };
}

const home = ({ origins }: Receivers): string => `${origins['named'] ?? ''}/`;

test.each([
  ['links that lead anywhere, rendered', { scope: 'any', render: 'always' }],
  ['links that lead anywhere, rendered where it pays', { scope: 'any', render: 'auto' }],
  ['links that lead anywhere, not rendered', { scope: 'any', render: 'never' }],
  ['links one hop beyond the scope', { extraHops: 1, render: 'never' }],
  ['links one hop beyond the scope, with pictures of pages', { extraHops: 1, snapshot: ['html', 'screenshot'] }],
  ['an archive', { scope: 'any', snapshot: ['warc'] }],
] as const)('headers stay with the seed’s origin: %s', async (_title, options) => {
  const { asked, heard } = await crawlWith((receivers) => ({
    seeds: [home(receivers)],
    ...options,
    snapshot: 'snapshot' in options ? [...options.snapshot] : [],
  }));
  expect(asked()).toEqual(['named', ...OTHERS]);
  expect(heard()).toEqual(['named']);
});

describe.each(['never', 'always'] as const)('--render %s', (render) => {
  const STATUSES = [301, 302, 303, 307, 308];
  let told: Told;
  // one crawl for all statuses: its addresses say which one a request belongs to
  beforeAll(async () => {
    told = await crawlWith(({ origins }) => ({
      seeds: STATUSES.flatMap((status) => OTHERS.map((role) => `${origins['named'] ?? ''}/moved-${status}-${role}`)),
      render,
    }));
  });

  test.each(STATUSES)('a seed that redirects by %i does not take the headers along', (status) => {
    const { asked, heard, notes } = told;
    expect(asked(new RegExp(`-${status}\\b`))).toEqual(['named', ...OTHERS]);
    expect(heard(new RegExp(`-${status}\\b`))).toEqual(['named']);
    expect(heard()).toEqual(['named']);
    for (const name of ['sub.named', 'other'])
      expect(notes.join('\n')).toMatch(
        new RegExp(`/moved-${status}-\\w+ redirects to http://${name}.localhost:\\d+, which gets no headers`),
      );
  });
});

test('headers go to the origins that are named for them, however they are written, and not to the seed', async () => {
  const { asked, heard } = await crawlWith((receivers) => ({
    seeds: [home(receivers)],
    scope: 'any',
    render: 'never',
    headerOrigins: [(receivers.origins['sibling'] ?? '').replace('sub.named', 'SUB.Named') + '/'],
  }));
  expect(asked()).toEqual(['named', ...OTHERS]);
  expect(heard()).toEqual(['sibling']);
});

test('a forecast sends the headers to the seed’s origin alone', async () => {
  await using receivers: Receivers = await openReceivers(
    'http',
    answering(() => receivers),
  );
  await forecastCrawl({
    seeds: [home(receivers)],
    scope: 'any',
    headers,
    delay: 0,
    render: 'never',
    allowPrivate: ['127.0.0.0/8', '::1'],
  });
  const heard = receivers.requests.filter(({ secrets }) => secrets.length > 0);
  expect(new Set(heard.map(({ role }) => role))).toEqual(new Set(['named']));
});
