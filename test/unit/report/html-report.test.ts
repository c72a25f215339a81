import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlReport } from '../../../src/report/html/html-report.ts';
import { auditOf, HOSTILE_TEXT, reportOf, withHostileTexts } from '../../support/audit-results.ts';

const small = auditOf({ pages: 60, findings: 120 });
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the HTML report', () => {
  const page = htmlReport(reportOf(small), '..');

  it('is one file whose policy allows its own style, its own script and pictures beside it', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${hash(style)};`);
    expect(policy).toContain(`script-src ${hash(script)};`);
    expect(policy).not.toContain('unsafe');
    expect(page).not.toMatch(/<link|<iframe|<base|\sstyle=|\son[a-z]+=/);
  });

  it('begins with the coverage, before all that was found', () => {
    const at = (text: string): number => page.indexOf(text);
    expect(at('id="coverage"')).toBeGreaterThan(0);
    expect(at('id="coverage"')).toBeLessThan(at('id="verdict"'));
    expect(at('id="verdict"')).toBeLessThan(at('id="findings"'));
  });

  it('has a finding of every group in its markup, to be read without scripts', () => {
    const markup = page.slice(0, page.indexOf('<script'));
    for (const group of new Set(small.findings.map((finding) => finding.group))) {
      const [first] = small.findings.filter((finding) => finding.group === group);
      expect(markup).toContain(new URL(first?.url ?? '').pathname);
    }
  });

  it('of a comparison calls what it tells differences, and has nothing to mend', () => {
    const against = { folder: '/crawls/old', kind: 'crawl', seeds: small.seeds, started: small.started } as const;
    const [markup = ''] = htmlReport(reportOf({ ...small, against }), '..').split('<script');
    expect(page).toContain('>Mend first</a>');
    expect(markup.match(/Mend first|probably mends|\d findings? in/g)).toBeNull();
    const [nav = ''] = /<nav.*<\/nav>/s.exec(markup) ?? [];
    expect(nav).toContain('>Look at first</a><a href="#findings">Differences</a>');
    expect(markup.match(/"group-count">\d+ differences? in \d+ places?</g)).not.toBeNull();
  });

  it('shows sections only where there is something to show', () => {
    expect(page).not.toMatch(/id="(?:external|inventory|traps|pictures)"/);
    const more = htmlReport(
      reportOf({
        ...small,
        pages: small.pages.map((each) => ({ ...each, screenshot: 'snapshots/3f/ab.png' })),
        external: [{ url: 'https://other.example/', verdict: 'gone', status: 404, sources: { count: 1, first: [] } }],
        inventory: [{ kind: 'host', name: 'cdn.example', detail: null, pages: 3, beforeConsent: 2 }],
        suspectedTraps: [{ pattern: 'https://example.org/calendar/0', rule: 'x', fetched: 50, held: 9, why: 'alike' }],
      }),
      '../a crawl',
    );
    for (const id of ['external', 'inventory', 'traps', 'pictures']) expect(more).toContain(`id="${id}"`);
    expect(more).toContain('src="../a%20crawl/snapshots/3f/ab.png"');
    expect(more).toContain('on 3 pages, before consent on 2');
  });

  it('counts all pages, also those that its table has no place for', () => {
    const [first = expect.fail('no page')] = small.pages;
    const pages = Array.from({ length: 50_010 }, () => ({ ...first, status: 200, depth: 1, bytes: 1000 }));
    const markup = htmlReport(reportOf({ ...small, pages, findings: [] }), '..').split('<script')[0] ?? '';
    const [, section = ''] = /<section id="pages">([\s\S]*?)<\/section>/.exec(markup) ?? [];
    expect(section.match(/<span class="bar-count">50,010<\/span>/g)).toHaveLength(3);
    expect(section).not.toContain('50,000</span>');
    expect(section).toContain('the 50,000 pages with the most findings; 10 more are in the JSON report');
  });

  it('says that a finding of very many pages counts for those that it lists', () => {
    const [first = expect.fail('no finding')] = small.findings;
    const of = (count: number): string => {
      const sources = { count, first: [{ url: first.url }] };
      return htmlReport(reportOf({ ...small, findings: [{ ...first, sources }] }), '..').split('<script')[0] ?? '';
    };
    const words = 'A finding that many pages show counts for the first of them only';
    expect(of(1)).not.toContain(words);
    expect(of(300)).toContain(words);
  });

  it('says where the search does not reach all findings', () => {
    const [first = expect.fail('no finding')] = small.findings;
    const findings = Array.from({ length: 50_007 }, (_, index) => ({ ...first, id: String(index) }));
    const markup = htmlReport(reportOf({ ...small, findings }), '..').split('<script')[0] ?? '';
    expect(markup).toContain('the first 50,000 findings; 7 more are in the JSON report');
    expect(page).not.toContain('more are in the JSON report');
  });

  it('shows pages that look different, with the pictures that the crawl folder has of them', () => {
    const regions = [{ x: 1, y: 2, width: 3, height: 4, pixels: 5, selector: '#shop > p' }];
    const change = {
      url: 'https://example.org/loom',
      viewport: 'first',
      share: 0.02,
      uncompared: 0,
      sizes: [],
      regions,
    };
    const drawn = 'report/diff/pictures/1';
    const pictures = [
      {
        ...{
          ...change,
          before: `${drawn}-before.png`,
          after: 'snapshots/3f/ab.png',
          difference: `${drawn}-difference.png`,
        },
        regionsTotal: 1,
      },
    ];
    const compared = htmlReport(reportOf({ ...small, pictures }), '../..');
    expect(compared).toContain('<section id="changed-pictures">');
    for (const path of [`${drawn}-before.png`, 'snapshots/3f/ab.png', `${drawn}-difference.png`])
      expect(compared).toContain(`<img src="../../${path}"`);
    expect(compared).toContain('<code>#shop &gt; p</code>');
    expect(page).not.toContain('id="changed-pictures"');
  });

  it('holds no markup of a page, and loads no picture from elsewhere', () => {
    const hostile = htmlReport(reportOf(withHostileTexts(auditOf({ pages: 40, findings: 60 }))), '..');
    expect(hostile).not.toContain(HOSTILE_TEXT.slice(0, 20));
    expect(hostile).not.toMatch(/<img|href="(?:javascript|data|vbscript):/i);
    expect(hostile.match(/<script/g)?.length).toBe(2);
    expect(hostile.match(/<\/script>/g)?.length).toBe(2);
    expect(hostile).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(hostile.length).toBeLessThan(1_500_000);
  });

  it('shows no token of an address, and leads to none', () => {
    const [first] = small.findings;
    if (first === undefined) throw new Error('no finding');
    const url = 'https://example.org/reset?token=s3cr3t-s3cr3t';
    const text = htmlReport(
      reportOf({ ...small, findings: [{ ...first, url, sources: { count: 1, first: [{ url }] } }] }),
      '..',
    );
    expect(text).toContain('token=REDACTED');
    expect(text).not.toContain('s3cr3t');
    expect(text).not.toMatch(/href="[^"]*REDACTED/);
  });

  it('never says what a site is, only what was looked at and found', () => {
    const clean = htmlReport(reportOf(auditOf({ pages: 30, findings: 0 })), '..').replace(
      /<style>[\s\S]*?<\/style>/,
      '',
    );
    expect(clean).toContain('0 findings on 29 judged pages.');
    expect(clean).not.toMatch(/\baccessible\b|\bsecure\b|no problems|no issues|all good/i);
  });
});
