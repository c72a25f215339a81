/** The end of an audit: judges it, writes its reports and its baseline, prints, and gives the exit code. */
import { dirname, relative, resolve, sep } from 'node:path';
import { grouped } from '../../base/count-words.ts';
import { CrawlError } from '../../base/errors.ts';
import { strangeHosts, updatedBaseline, type Baseline } from '../../core/gates/baseline.ts';
import { judgeAudit, type Demands, type AuditVerdict } from '../../core/gates/verdict.ts';
import { isWriteRefused } from '../../crawl-folder/disk-error.ts';
import { refuseLinks } from '../../crawl-folder/no-links.ts';
import { writeWholeFiles } from '../../crawl-folder/whole-file.ts';
import type { AuditResult, RuleInfo } from '../../model/finding.ts';
import { VERSION } from '../../options/identity.ts';
import type { JudgementValues } from '../../options/judgement-options.ts';
import type { AuditReport } from '../../report/audit-report.ts';
import { baselineText } from '../../report/baseline-file.ts';
import { REPORTERS } from '../../report/reporter.ts';
import { auditText } from '../text/audit-text.ts';
import type { ExitCode } from '../exit-code.ts';
import { readGates } from './gate-names.ts';
import { tellGithub } from './github-job.ts';
import { PLAIN } from '../terminal/paint.ts';
import { readBaseline, type FoundBaseline } from './read-baseline.ts';
import { redactingOutput } from '../terminal/redacting-output.ts';
import { readReporters, type ReportOutput } from './report-outputs.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, nearPath, quoted, type Shell } from '../shell.ts';
import { foldWidthOf, paintFor } from '../terminal/terminal.ts';

/** Columns of a list in a file. */
const LIST_WIDTH = 80;

/** Settings that an audit is judged by, read and checked. */
interface Judgement {
  readonly outputs: readonly ReportOutput[];
  readonly demands: Demands;
  /** Null where no baseline is asked for. */
  readonly baseline: (FoundBaseline & { readonly path: string; readonly shown: string }) | null;
  readonly updates: boolean;
}

/**
 * Reads the settings that an audit is judged by, so that a mistake is found before anything is fetched.
 * @param rules that the audit will apply
 * @param before the baseline as it was read before the audit, which replaces the findings in a folder; null where it was not read yet
 * @throws {CrawlError} USAGE, BASELINE_INVALID, CRAWL_UNREADABLE
 */
export async function readJudgement(
  options: JudgementValues,
  rules: readonly RuleInfo[],
  shell: Shell,
  before: Judgement['baseline'] = null,
): Promise<Judgement> {
  const outputs = readReporters(options.reporters, shell.workingFolder);
  const gates = readGates(options.failOn ?? [], rules);
  const updates = options.updateBaseline === true;
  if (updates && options.baseline === undefined) {
    throw new CrawlError('USAGE', '--update-baseline needs the file to write.\nGive --baseline <file>, too.');
  }
  const { baseline: typed } = options;
  // a folder that was not there before the crawl is one that the crawl has made
  const isKept = before !== null && (before.kind === 'folder' || before.content === null);
  const baseline = isKept || typed === undefined ? before : await placedBaseline(typed, shell);
  if (updates && baseline?.kind === 'folder') {
    throw new CrawlError(
      'USAGE',
      `--update-baseline writes no crawl folder: ${baseline.shown}.\nName a file with --baseline.`,
    );
  }
  const demands = {
    gates,
    rules,
    minPages: options.minPages ?? null,
    minCoverage: options.minCoverage ?? null,
    baseline,
    today: new Date(shell.clock.now()).toISOString().slice(0, 10),
  };
  return { outputs, demands, baseline, updates };
}

async function placedBaseline(typed: string, shell: Shell): Promise<FoundBaseline & { path: string; shown: string }> {
  const path = resolve(shell.workingFolder, typed);
  const shown = safeText(nearPath(path, shell.workingFolder));
  return { ...(await readBaseline(path, shown)), path, shown };
}

/** What is known of the judgement before the result is there. */
interface KnownJudgement {
  /** Rules that gates may name; default: those of the result. */
  readonly rules?: readonly RuleInfo[];
  /** As {@link readJudgement} found it before the audit. */
  readonly baseline?: Judgement['baseline'];
}

/**
 * Concludes an audit, or a comparison. Reports and baseline are written all or none.
 * @returns 1 where a gate failed, else 0
 * @throws {CrawlError} USAGE, BASELINE_INVALID, CRAWL_UNREADABLE, OUTPUT_UNUSABLE, DISK_FULL
 */
export async function concludeAudit(
  result: AuditResult,
  options: JudgementValues,
  shell: Shell,
  { rules = result.rules, baseline = null }: KnownJudgement = {},
): Promise<ExitCode> {
  const judgement = await readJudgement(options, rules, shell, baseline);
  refuseOtherSite(judgement, result);
  const before = judgeAudit(result, judgement.demands);
  const update = judgement.updates ? updateOf(judgement, result, before) : null;
  const verdict =
    update === null ? before : judgeAudit(result, { ...judgement.demands, baseline: { content: update.baseline } });
  const report: AuditReport = { result, verdict, version: VERSION };
  if (judgement.outputs.some(({ path, isDefault }) => path !== null && isDefault))
    await refuseLinks(result.folder, ['report']);
  const outputs = await writeOutputs(report, judgement.outputs, update, options.reporters === undefined);
  const ends = endsOf(report, { ...judgement, outputs }, { shell, update });
  if (outputs.length < judgement.outputs.length) ends.push(unwrittenLine(result, shell));
  print(report, outputs, { shell, ends });
  await tellGithub(report, judgement.outputs, shell);
  return verdict.passed ? 0 : 1;
}

/** @throws {CrawlError} BASELINE_INVALID */
function refuseOtherSite({ baseline }: Judgement, { seeds }: AuditResult): void {
  if (baseline === null || baseline.content === null) return;
  const [host] = strangeHosts(baseline.content, seeds);
  if (host === undefined) return;
  const site = baseline.content.site.map((name) => safeText(name)).join(', ');
  throw new CrawlError(
    'BASELINE_INVALID',
    `${baseline.shown} is the baseline of ${site}, and this is an audit of ${safeText(host)}\n` +
      'Name another baseline; if it is the same site by another name, add that name to `site` of the file (* stands for anything).',
  );
}

interface BaselineUpdate {
  readonly path: string;
  readonly content: string;
  readonly baseline: Baseline;
  /** Entries that were added and left out. */
  readonly added: number;
  readonly dropped: number;
}

/** The baseline with the new findings; null where none is accepted, as the audit saw too little. */
function updateOf({ baseline, demands }: Judgement, result: AuditResult, verdict: AuditVerdict): BaselineUpdate | null {
  const { gates, standings, counted, comparison } = verdict;
  const sawTooLittle = gates.some(({ kind, failed }) => kind !== 'findings' && failed);
  if (baseline === null || comparison === null || sawTooLittle) return null;
  const findings = result.findings.filter(({ id }) => standings.get(id)?.kind === 'new' && counted.has(id));
  const added = { findings, reason: `was there on ${demands.today}` };
  const updated = updatedBaseline(baseline.content, result, comparison, added);
  return {
    path: baseline.path,
    content: baselineText(updated, baseline.text),
    baseline: updated,
    added: findings.length,
    dropped: comparison.stale.length,
  };
}

/**
 * Writes reports and baseline, all or none. The usual report is left out where this user may only read the crawl folder.
 * @returns the outputs without those that were left out
 */
async function writeOutputs(
  report: AuditReport,
  outputs: readonly ReportOutput[],
  update: BaselineUpdate | null,
  areUsual: boolean,
): Promise<readonly ReportOutput[]> {
  const baseline = update === null ? [] : [{ path: update.path, content: update.content }];
  try {
    await writeWholeFiles([...filesOf(report, outputs), ...baseline]);
    return outputs;
  } catch (error) {
    if (!areUsual || !isWriteRefused(error)) throw error;
  }
  await writeWholeFiles(baseline);
  return outputs.filter(({ path }) => path === null);
}

function unwrittenLine({ folder }: AuditResult, shell: Shell): string {
  const shown = safeText(nearPath(folder, shell.workingFolder));
  return `No report was written, as this user may only read ${shown}: --reporter list,html=<file> writes one elsewhere.`;
}

function filesOf(report: AuditReport, outputs: readonly ReportOutput[]): readonly { path: string; content: string }[] {
  return outputs.flatMap((output) => {
    const path = placeOf(output, report.result);
    if (path === null) return [];
    const way = relative(dirname(path), report.result.folder).split(sep).join('/');
    return [{ path, content: textOf(report, output, way === '' ? '.' : way) }];
  });
}

/** Reports of a comparison lie beside those of the crawl's audit. */
function placeOf({ path, isDefault }: ReportOutput, { folder, against }: AuditResult): string | null {
  if (path === null || !isDefault) return path;
  return resolve(folder, against === undefined ? path : path.replace(/^report\//, 'report/diff/'));
}

function textOf(report: AuditReport, { name }: ReportOutput, way: string | null): string {
  if (name !== 'list') return REPORTERS[name].render(report, way);
  return `${auditText(report, { paint: PLAIN, width: LIST_WIDTH, ends: [] })}\n`;
}

interface Printing {
  readonly shell: Shell;
  /** Lines below the verdict. */
  readonly ends: readonly string[];
}

/** A printed list names the places of the reports; without one, the errors do. */
function print(report: AuditReport, outputs: readonly ReportOutput[], { shell, ends }: Printing): void {
  const printed = outputs.filter(({ path }) => path === null);
  for (const output of printed) {
    if (output.name !== 'list') {
      shell.output.write(textOf(report, output, null));
      continue;
    }
    const frame = { paint: paintFor(shell.output, shell.variables), width: foldWidthOf(shell.output), ends };
    redactingOutput(shell.output).write(`${auditText(report, frame)}\n`);
  }
  if (!printed.some(({ name }) => name === 'list')) for (const line of ends) shell.errors.write(`${line}\n`);
}

/** Lines on the baseline, and on the places of the reports. */
function endsOf(
  { result }: AuditReport,
  { outputs, baseline, updates }: Judgement,
  { shell, update }: { readonly shell: Shell; readonly update: BaselineUpdate | null },
): string[] {
  const near = (path: string): string => safeText(nearPath(path, shell.workingFolder));
  const reports = outputs.flatMap((output) => placeOf(output, result) ?? []).map(near);
  const lines: string[] = [];
  if (update !== null) {
    lines.push(`Baseline: ${near(update.path)}, ${grouped(update.added)} added, ${grouped(update.dropped)} left out`);
  } else if (baseline !== null && updates) {
    lines.push(`Baseline: not written, for too little was judged to accept anything`);
  } else if (baseline !== null && baseline.content === null) {
    const call = `${callOf('audit', shell)} ${quoted(near(result.folder))}`;
    lines.push(`Begin a baseline with:\n  ${call} --baseline ${quoted(baseline.shown)} --update-baseline`);
  }
  if (reports.length > 0) lines.push(`${reports.length === 1 ? 'Report:' : 'Reports:'}  ${reports.join('  ')}`);
  return lines;
}
