/** Links that a site asks not to follow: left by default, reported if most of a site depends on them, followed if the user wants it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { pathsOf, runCrawl } from '../support/crawl-run.ts';
import { openFixture } from '../support/fixture-sites.ts';
import { temporarySite, type TemporarySite } from '../support/temporary-site.ts';

const link = (to: string, rel = 'nofollow'): string => `<p><a href="${to}" rel="${rel}">${to}</a></p>`;

/** Only nofollow links lead to three of its four pages, one of them forbidden; links to other sites are nofollow, too. */
const openHanging = (): Promise<TemporarySite> =>
  temporarySite({
    'site.json': '{}',
    'www/robots.txt': 'User-agent: *\nDisallow: /forbidden\n',
    'www/index.html': `${link('/a')}${link('/b')}${link('/forbidden')}${link('https://social.example/', 'nofollow me')}`,
    'www/a.html': '<p>a',
    'www/b.html': '<p>b',
    'www/forbidden.html': '<p>no',
  });

let base = '';
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-nofollow-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('--follow-nofollow', () => {
  it('follows links that rel, meta robots and X-Robots-Tag ask not to follow', async () => {
    await using site = await openFixture('nofollow');
    const run = await runCrawl({ render: 'never', seeds: [site.url], delay: 0, followNofollow: true });
    expect(pathsOf(run)).toEqual(
      expect.arrayContaining(['/rel', '/rel-among-others', '/only-by-meta', '/only-by-none', '/only-by-header']),
    );
    expect(run.report.skipped.nofollow).toBeUndefined();
  });

  it('leaves what robots.txt forbids, and what lies outside the scope', async () => {
    await using site = await openHanging();
    const run = await runCrawl({
      render: 'never',
      seeds: [site.server.url],
      delay: 0,
      followNofollow: true,
      sitemap: false,
    });
    expect(pathsOf(run)).toEqual(['/', '/a', '/b']);
    expect(run.report.skipped).toEqual({ 'disallowed-by-robots': 1, 'out-of-scope': 1 });
    expect(run.report.notes).toEqual([]);
  });
});

describe('a site of which most hangs on nofollow', () => {
  it('has that said, with the flag, in the summary and of each URL', async () => {
    await using site = await openHanging();
    const args = ['crawl', site.server.url, '-o', 'hanging', '--delay', '0', '--no-sitemap'];
    const { code, output } = await runCommand(args, base).ended;
    expect(code, output).toBe(0);
    expect(output).toContain(
      'note  3 of 4 URLs were left because only nofollow links lead to them: --follow-nofollow follows these',
    );
    expect(output).toMatch(/^ {2}1 {2}outside the scope$/m);
    const explained = await runCommand(['explain', 'hanging', '/a'], base).ended;
    expect(explained.output).toMatch(/skipped: nofollow\s+rel=nofollow\s+--follow-nofollow follows such links/);
  });

  it('has nothing said of it where most of it does not', async () => {
    await using site = await openFixture('nofollow');
    const run = await runCrawl({ render: 'never', seeds: [site.url], delay: 0 });
    expect(run.report.skipped.nofollow).toBe(5);
    expect(run.report.notes).toEqual([]);
  });
});
