/** An audit by the command line, as a user runs it: a site crawled for it, its repaired twin, and a crawl folder. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { epochMs } from '../../src/base/units.ts';
import type { Finding } from '../../src/model/finding.ts';
import { documentOf, prose } from '../support/audited-site.ts';
import { runHere } from '../support/command-here.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { httpOrigin } from '../support/origin.ts';
import { secureOrigin } from '../support/secure-origin.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-audit-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const NAV =
  '<nav id="nav"><a href="/">Start</a> <a href="/town.html">Town</a> <a href="/shop/boat.html">Boats</a></nav>';
const page = (title: string, body: string, parts: Parameters<typeof documentOf>[1] = {}): string =>
  documentOf(`${NAV}${prose(title)}${body}`, { title, ...parts });
const locs = (...paths: readonly string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>{origin}${path}</loc></url>`).join('')}</urlset>`;

interface Site {
  readonly files: Readonly<Record<string, string>>;
  readonly redirects: Readonly<Record<string, string>>;
}

const DEFECTS: Site = {
  files: {
    'sitemap.xml': locs('/', '/town.html', '/alone.html', '/gone.html'),
    'index.html': page(
      'The harbour',
      '<p><a href="/old.html">Old</a> <a href="/chain/1">Chain</a> <a href="/town.html#quay">Quay</a> <a href="/town.html#mole">Mole</a> <a href="/login.html">Log in</a> <a href="/lost.html">Lost</a></p>',
    ),
    'town.html': page(
      'The town',
      '<h2 id="quay">Quay</h2><p><a href="/old.html">Old</a></p><img src="/map.png" width="9" height="9">',
      { head: '<link rel="canonical" href="/old.html">' },
    ),
    'shop/boat.html': page('Boats', '<p><a href="/shop/oar.html">Oars</a></p>', { html: '<html>' }),
    'shop/oar.html': page('Oars', '', {
      html: '<html>',
      title: '',
      head: '<script type="application/ld+json">{"@type":"Product",}</script>',
    }),
    'alone.html': page('Alone', ''),
    'lost.html': documentOf(`${NAV}<h1>Page not found</h1>`, { title: 'Page not found' }),
    'login.html': documentOf('<form action="/login.html"><input name="name"><input type="password"></form>', {
      title: 'Log in',
      description: '',
    }),
  },
  redirects: { '/chain/1': '/chain/2', '/chain/2': '/town.html' },
};

const MENDED: Site = {
  files: {
    'sitemap.xml': locs('/', '/town.html', '/alone.html'),
    'index.html': page(
      'The harbour',
      '<p><a href="/chain/2">Chain</a> <a href="/town.html#quay">Quay</a> <a href="/alone.html">Alone</a></p>',
    ),
    'town.html': page('The town', '<h2 id="quay">Quay</h2><img src="/map.png" width="9" height="9" alt="">', {
      head: '<link rel="canonical" href="/town.html">',
    }),
    'shop/boat.html': page('Boats', '<p><a href="/shop/oar.html">Oars</a></p>'),
    'shop/oar.html': page('Oars', '', {
      head: '<script type="application/ld+json">{"@type":"Product","name":"Oar","offers":{"price":9}}</script>',
    }),
    'alone.html': page('Alone', ''),
  },
  redirects: { '/chain/1': '/chain/2', '/chain/2': '/town.html' },
};

const CAREFUL = {
  'content-encoding': 'gzip',
  'content-security-policy': "frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Serves a site on a port of its own. */
/** A page of the site with defects has another encoding in its header than in its markup. */
function serveSite(site: Site): ReturnType<typeof httpOrigin> {
  const { files, redirects } = site;
  return httpOrigin(({ url = '/', headers }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const redirect = redirects[path];
    const content = files[path.slice(1)];
    if (redirect !== undefined) response.writeHead(301, { location: redirect }).end();
    else if (content === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    else {
      const isMislabelled = site === DEFECTS && path === '/shop/oar.html';
      const html = isMislabelled ? 'text/html; charset=iso-8859-1' : 'text/html';
      const type = path.endsWith('.xml') ? 'application/xml' : path.endsWith('.png') ? 'image/png' : html;
      response.writeHead(200, { 'content-type': type, ...CAREFUL });
      response.end(gzipSync(content.replaceAll('{origin}', `http://${headers.host ?? ''}`)));
    }
  });
}

/** Findings without the origin, which differs each time. */
function told(findings: readonly Finding[]): readonly string[] {
  const path = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');
  return findings.map(
    ({ rule, url, target, sources }) => `${rule} ${path(url)} ${target === null ? '-' : path(target)} ${sources.count}`,
  );
}

describe('orbweaver audit', () => {
  it('finds what is wrong with a site and nothing else, with the same ids on another port and from the saved crawl', async () => {
    await using first = await serveSite(DEFECTS);
    const live = await runCommand(['audit', first.url, '-o', 'live', '--render', 'never', '--no-progress'], base).ended;
    expect(live.code, live.output).toBe(0);
    const findings = await linesOf<Finding>(join(base, 'live'), 'findings.jsonl');
    expect(told(findings).toSorted()).toEqual([
      'broken-canonical /town.html /old.html 1',
      'broken-fragment / /town.html#mole 1',
      'broken-link / /old.html 2',
      'encoding-conflict /shop/oar.html - 1',
      'image-without-alt /town.html - 1',
      'invalid-structured-data /shop/oar.html - 1',
      'missing-lang /shop/boat.html - 2',
      'missing-title /shop/oar.html - 1',
      'orphan-page /alone.html - 1',
      'redirect-chain / /chain/1 1',
      'sitemap-entry-failed /sitemap.xml /gone.html 1',
      'soft-404 /lost.html - 1',
    ]);
    expect(live.output).toContain('Coverage\n  9 pages expected, 9 seen, 5 judged (55.6 % of the expected).\n');
    expect(live.output).toContain('1 page that asks to sign in');
    expect(live.output.indexOf('Coverage')).toBeLessThan(live.output.indexOf('broken-link'));

    const saved = await runHere(['audit', 'live'], base);
    expect(saved.code, saved.output).toBe(0);
    expect(await linesOf<Finding>(join(base, 'live'), 'findings.jsonl')).toEqual(findings);

    await using second = await serveSite(DEFECTS);
    const again = await runHere(['crawl', second.url, '-o', 'again', '--audit', '--no-progress'], base);
    expect(again.code, again.output).toBe(0);
    expect(again.output).toContain('URLs known');
    const others = await linesOf<Finding>(join(base, 'again'), 'findings.jsonl');
    expect(others.map(({ id }) => id)).toEqual(findings.map(({ id }) => id));
    expect(others.every(({ url }) => url.startsWith(second.url))).toBe(true);
  });

  it('finds nothing in the mended twin', async () => {
    await using site = await serveSite(MENDED);
    const { code, output } = await runHere(['audit', site.url, '-o', 'whole', '--render', 'never', '-q'], base);
    expect(code, output).toBe(0);
    expect(await readFile(join(base, 'whole', 'findings.jsonl'), 'utf8')).toBe('');
    expect(output).toContain('0 findings on 5 judged pages.');
    expect(output).not.toMatch(/accessible|secure|no problems/i);
  });

  it('prints what the README shows', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [, command = '', shown = ''] = /\n\$ orbweaver (audit \S.*)\n([^`]*)```/.exec(readme) ?? [];
    const words = command.split(' ').map((word) => (word.startsWith('fixtures/') ? join(ROOT, word) : word));
    const { code, output } = await runHere([...words, '-o', 'shown', '-q'], base);
    const printed = output.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080').split('\n');
    const lines = shown.split('\n').filter((line) => line !== '' && line !== '…');
    expect(lines.length).toBeGreaterThan(8);
    expect([code, printed.filter((line) => lines.includes(line))]).toEqual([1, lines]);
  });

  it('reads pages that an archive alone holds', async () => {
    await using site = await serveSite(DEFECTS);
    const flags = [
      '--render',
      'never',
      '--snapshot',
      'warc',
      '-q',
      '--rules',
      'image-without-alt,missing-title,encoding-conflict',
    ];
    const { code, output } = await runHere(['audit', site.url, '-o', 'archived', ...flags], base);
    expect(code, output).toBe(0);
    const findings = await linesOf<Finding>(join(base, 'archived'), 'findings.jsonl');
    expect(told(findings)).toEqual([
      'image-without-alt /town.html - 1',
      'missing-title /shop/oar.html - 1',
      'encoding-conflict /shop/oar.html - 1',
    ]);
  });

  it('says why a site was not looked at whose certificate has expired', async () => {
    const past = { ...systemClock, now: () => epochMs(Date.UTC(2020, 0, 2)) };
    await using site = await secureOrigin((_request, response) => response.end(), { clock: past });
    const flags = ['-o', 'expired', '--render', 'never', '--retries', '0', '-q', '--allow-private', '127.0.0.0/8'];
    const { code, output } = await runHere(['audit', site.url('/'), ...flags], base);
    // the crawl ended early, which outweighs a gate
    expect(code, output).toBe(3);
    const [finding, ...more] = await linesOf<Finding>(join(base, 'expired'), 'findings.jsonl');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule: 'tls-problem', severity: 'error', confidence: 'high' });
    expect(finding?.message).toContain('its certificate has expired');
    expect(site.requests).toEqual([]);
  });

  it('applies the rules of an extension to a crawl folder', async () => {
    const rule =
      "{ id: 'no-boats', severity: 'notice', category: 'documents', about: 'page', title: 'A page about boats', why: 'W.', fix: 'F.', " +
      "source: { name: 'us', url: 'https://example.org/' }, checkPage: ({ title }) => title === 'Boats' ? [{ message: title }] : [] }";
    await writeFile(join(base, 'rules.mjs'), `export default { name: 'house', auditRules: [${rule}] };`);
    const flags = ['--extension', 'rules.mjs', '--rules', 'no-boats'];
    const { code, output } = await runHere(['audit', 'live', ...flags], base);
    expect(code, output).toBe(0);
    expect(told(await linesOf<Finding>(join(base, 'live'), 'findings.jsonl'))).toEqual([
      'no-boats /shop/boat.html - 1',
    ]);
  });

  it('refuses what it cannot do before anything is fetched', async () => {
    const site = 'http://127.0.0.1:9/';
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await runHere(['audit', ...args], base);
      expect(code).toBe(2);
      return output;
    };
    expect(await refused(site, '-o', 'none', '--rules', 'brokn-link')).toContain('Did you mean broken-link?');
    expect(await refused('live', '--depth', '2')).toContain('--depth is a flag of a crawl');
    expect(await refused('live', site)).toContain('is a crawl folder');
    expect(await refused('live', '--axe')).toMatch(
      /--axe: \S*live was crawled without it.*\n.*crawl with --audit --axe/,
    );
    expect(await refused('live', '--measure')).toMatch(/--measure: \S*live was crawled without it/);
  });
});
