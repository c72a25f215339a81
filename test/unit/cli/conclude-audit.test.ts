import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { CrawlError } from '../../../src/base/errors.ts';
import { concludeAudit, readJudgement } from '../../../src/cli/audit/conclude-audit.ts';
import type { AuditResult } from '../../../src/model/finding.ts';
import type { JudgementValues } from '../../../src/options/judgement-options.ts';
import { parseBaseline } from '../../../src/report/baseline-file.ts';
import { auditOf, AUDIT_RULES, withHostileTexts } from '../../support/audit-results.ts';
import { epochMs } from '../../../src/base/units.ts';
import { FakeShell, type FakeShellOptions } from './fake-shell.ts';

let folder: string;
let audit: AuditResult;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-conclude-'));
  audit = { ...auditOf({ pages: 60, findings: 120 }), folder: join(folder, 'crawl') };
  await mkdir(audit.folder);
});
afterEach(() => rm(folder, { recursive: true }));

async function conclude(options: JudgementValues, shellOptions: Partial<FakeShellOptions> = {}, result = audit) {
  const shell = new FakeShell({ words: [], workingFolder: folder, ...shellOptions });
  const code = await concludeAudit(result, options, shell);
  return { code, output: shell.outputText, errors: shell.errorText };
}

async function failure(options: JudgementValues, result = audit): Promise<CrawlError> {
  try {
    await conclude(options, {}, result);
  } catch (error) {
    if (error instanceof CrawlError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const filesIn = async (path: string): Promise<readonly string[]> =>
  (await readdir(path, { recursive: true })).toSorted();

describe('the end of an audit', () => {
  test('prints coverage before findings and the verdict last, writes the HTML report, and is 0 without gates', async () => {
    const { code, output } = await conclude({});
    expect(code).toBe(0);
    expect(output.indexOf('62 pages expected, 60 seen, 57 judged')).toBeLessThan(output.indexOf('error '));
    expect(output.trimEnd().split('\n').slice(-2)).toEqual([
      'No gate was set, so nothing could fail.',
      'Report:  ./crawl/report/index.html',
    ]);
    expect(await filesIn(audit.folder)).toEqual(['report', 'report/index.html']);
  });

  test('is 1 where a gate fails, and says which', async () => {
    const { code, output } = await conclude({ failOn: ['error', 'links:1000'] });
    expect(code).toBe(1);
    expect(output).toContain('Failed: error: 39 findings (fails from 1).');
  });

  test('fits into 80 columns but for addresses, and has no colour where none is wanted', async () => {
    const { output } = await conclude({ reporters: ['list=list.txt'] });
    expect(output).toBe('');
    const list = await readFile(join(folder, 'list.txt'), 'utf8');
    expect(list.split('\n').filter((line) => line.length > 80 && !line.includes('https://'))).toEqual([]);
    const { output: plain } = await conclude({}, { isTTY: true, variables: { NO_COLOR: '1' } });
    expect(plain).not.toContain('\u001b');
    const { output: coloured } = await conclude({}, { isTTY: true });
    expect(coloured).toContain('\u001b[31merror');
  });

  test('writes nothing that a terminal obeys', async () => {
    const hostile = { ...withHostileTexts(audit), folder: audit.folder };
    const { output, errors } = await conclude({ reporters: ['list,github'] }, {}, hostile);
    expect((output + errors).replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  test('writes every reporter to its own place, or to the file that is named', async () => {
    await conclude({ reporters: ['list,json,html,junit=out/a,b.xml,sarif', 'markdown,github=notes.txt'] });
    expect(await filesIn(join(audit.folder, 'report'))).toEqual([
      'index.html',
      'results.json',
      'results.sarif',
      'summary.md',
    ]);
    expect(await readFile(join(folder, 'out/a,b.xml'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toContain('::notice title=Coverage');
  });

  test('gives standard output to one report alone; where reports lie then stands among the errors', async () => {
    const { output, errors } = await conclude({ reporters: ['json=-,html'] });
    expect(JSON.parse(output)).toMatchObject({ coverage: { judged: 57 } });
    expect(errors).toContain('Report:  ./crawl/report/index.html');
    await expect(failure({ reporters: ['list,json=-'] })).resolves.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('list and json both go to standard output') as string,
    });
  });

  test('writes all of its files or none', async () => {
    await mkdir(join(folder, 'taken.xml'));
    const { code } = await failure({
      reporters: ['html,sarif,junit=taken.xml'],
      baseline: 'baseline.yaml',
      updateBaseline: true,
    });
    expect(code).toBe('OUTPUT_UNUSABLE');
    expect(await filesIn(folder)).toEqual(['crawl', 'crawl/report', 'taken.xml']);
  });

  test('writes through no link that a crawl folder of others holds', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(audit.folder, 'report'));
    expect((await failure({})).code).toBe('OUTPUT_UNUSABLE');
    expect(await filesIn(join(folder, 'elsewhere'))).toEqual([]);
  });
});

describe('in a job of GitHub Actions', () => {
  test('annotations and summary come by themselves', async () => {
    const summary = join(folder, 'summary');
    await writeFile(summary, 'of another step\n');
    const variables = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const { output } = await conclude({}, { variables });
    expect(output).toContain('::error title=');
    expect(await readFile(summary, 'utf8')).toMatch(/^of another step\n<!-- orbweaver-audit -->\n/);
  });

  test('annotations leave a report on standard output alone, and come once', async () => {
    const variables = { GITHUB_ACTIONS: 'true' };
    const { output, errors } = await conclude({ reporters: ['json=-'] }, { variables });
    expect(JSON.parse(output)).toHaveProperty('coverage');
    expect(errors).toContain('::notice title=Coverage');
    const explicit = await conclude({ reporters: ['github'] }, { variables });
    expect(explicit.output.match(/title=Coverage/g)?.length).toBe(1);
  });

  test('a summary that cannot be written is a note', async () => {
    const { code, errors } = await conclude({}, { variables: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: folder } });
    expect(code).toBe(0);
    expect(errors).toContain('note  the summary of the job cannot be written');
  });
});

describe('a baseline', () => {
  const BASELINE: JudgementValues = { baseline: 'baseline.yaml' };
  const UPDATE: JudgementValues = { ...BASELINE, updateBaseline: true };
  const clock = { ...systemClock, now: () => epochMs(Date.UTC(2026, 10, 23)) };

  test('of a first run says how to begin, and fails', async () => {
    const { code, output } = await conclude(BASELINE);
    expect(code).toBe(1);
    expect(output).toContain('There is no baseline yet');
    expect(output).toContain('orbweaver audit ./crawl --baseline ./baseline.yaml --update-baseline');
  });

  test('is begun, accepts what was there, and fails with what is new', async () => {
    const { code, output } = await conclude(UPDATE, { clock });
    expect(code).toBe(0);
    expect(output).toContain('Baseline: ./baseline.yaml, 120 added, 0 left out');
    const { accepted } = parseBaseline(await readFile(join(folder, 'baseline.yaml'), 'utf8'), 'x');
    expect(accepted.map(({ reason }) => reason)).toEqual(Array(120).fill('was there on 2026-11-23'));
    expect((await conclude(BASELINE)).code).toBe(0);
    const others = audit.findings.slice(1);
    const fewer = { ...audit, findings: others };
    await rm(join(folder, 'baseline.yaml'));
    await conclude(UPDATE, {}, fewer);
    expect(await conclude(BASELINE)).toMatchObject({
      code: 1,
      output: expect.stringContaining('119 accepted, 1 new') as string,
    });
    expect(await conclude(BASELINE, {}, { ...fewer, findings: others.slice(1) })).toMatchObject({
      code: 0,
      output: expect.stringContaining('stale') as string,
    });
  });

  test('with gates accepts only what they count', async () => {
    await conclude({ ...UPDATE, failOn: ['error'] });
    const { accepted } = parseBaseline(await readFile(join(folder, 'baseline.yaml'), 'utf8'), 'x');
    expect(accepted.length).toBe(39);
    expect((await conclude({ ...BASELINE, failOn: ['error'] })).code).toBe(0);
    expect((await conclude({ ...BASELINE, failOn: ['warning'] })).code).toBe(1);
  });

  test('is not updated from an audit that saw too little', async () => {
    const { code, output } = await conclude({ ...UPDATE, minCoverage: 0.99 });
    expect(code).toBe(1);
    expect(output).toContain('not written, for too little was judged');
    expect(await filesIn(folder)).not.toContain('baseline.yaml');
  });

  test('may be the folder of an audited crawl, whose findings are known', async () => {
    const old = join(folder, 'old');
    await mkdir(old);
    const crawl = { id: 'x', state: 'finished', seeds: audit.seeds, options: {}, started: audit.started };
    await writeFile(join(old, 'crawl.json'), JSON.stringify(crawl));
    expect((await failure({ baseline: 'old' })).message).toContain('was not audited: there is no findings.jsonl');
    await writeFile(
      join(old, 'findings.jsonl'),
      audit.findings
        .slice(1)
        .map((finding) => `${JSON.stringify(finding)}\n`)
        .join(''),
    );
    expect(await conclude({ baseline: 'old' })).toMatchObject({
      code: 1,
      output: expect.stringContaining('1 new') as string,
    });
    expect((await failure({ baseline: 'old', updateBaseline: true })).message).toContain('writes no crawl folder');
  });

  test('may name the folder that is audited: what it held before the audit is known, and no more', async () => {
    const crawl = { id: 'x', state: 'finished', seeds: audit.seeds, options: {}, started: audit.started };
    const lines = audit.findings.map((finding) => `${JSON.stringify(finding)}\n`);
    await writeFile(join(audit.folder, 'crawl.json'), JSON.stringify(crawl));
    await writeFile(join(audit.folder, 'findings.jsonl'), lines.slice(1).join(''));
    const shell = new FakeShell({ words: [], workingFolder: folder });
    const options = { baseline: 'crawl' };
    const { baseline } = await readJudgement(options, audit.rules, shell);
    await writeFile(join(audit.folder, 'findings.jsonl'), lines.join('')); // as the audit does
    expect(await concludeAudit(audit, options, shell, { baseline })).toBe(1);
    expect(shell.outputText).toContain('1 new');
  });

  test('of another site is refused, with the way out', async () => {
    await conclude(UPDATE);
    const other = { ...audit, seeds: ['https://example.com/'] };
    const { code, message } = await failure(BASELINE, other);
    expect(code).toBe('BASELINE_INVALID');
    expect(message).toContain('is the baseline of example.org, and this is an audit of example.com');
    expect(message).toContain('add that name to `site`');
  });
});

describe('what is judged by', () => {
  test.each<[JudgementValues, string]>([
    [{ reporters: ['htlm'] }, 'there is no reporter "htlm"; did you mean html?'],
    [{ reporters: ['list,list'] }, 'list is given twice'],
    [{ reporters: ['junit=a.xml,sarif=a.xml'] }, 'both go to'],
    [{ reporters: ['html='] }, 'html= names no file'],
    [{ failOn: ['brokn-link'] }, '"brokn-link" is no severity, category, rule or group; did you mean broken-link?'],
    [{ failOn: ['eror:3'] }, 'did you mean error?'],
    [{ failOn: ['error:0'] }, '"error:0" is no severity'],
    [{ updateBaseline: true }, '--update-baseline needs the file to write'],
  ])('is refused before anything is fetched where it is %j', async (options, message) => {
    const shell = new FakeShell({ words: [], workingFolder: folder });
    await expect(readJudgement(options, AUDIT_RULES, shell)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message) as string,
    });
  });
});
