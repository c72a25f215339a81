/** The rows for the script of the report. */
import { SEVERITIES, type AuditResult, type Finding } from '../../model/finding.ts';
import type { ReportFindingRow, ReportPageRow, ReportData } from '../../model/report-data.ts';
import type { AuditReport } from '../audit-report.ts';
import { reasonWords } from '../coverage-words.ts';
import { evidenceLines } from '../evidence-lines.ts';
import { rulesById, type FindingGroup } from '../finding-groups.ts';
import { shownText } from '../shown-text.ts';
import { parsedUrl } from '../../base/parsed-url.ts';

/** Beyond these a browser takes seconds to open the report (measured: 20,000 findings take half a second). */
export const MOST_FINDINGS = 50_000;
const MOST_PAGES = 50_000;
/** Characters of a message, of a piece of evidence. */
const MESSAGE = 300;
const EVIDENCE = 240;
const MOST_SOURCES = 5;

/** Numbers for texts, each text once. */
class Numbered {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(shownText(text)) - 1;
  }
}

/** @param groups in the order in which the report shows them */
export function reportData({ result, verdict }: AuditReport, groups: readonly FindingGroup[]): ReportData {
  const urls = new Numbered();
  const ruleOf = rulesById(result);
  const ruleIds = [...new Set(groups.map(({ rule }) => rule.id))];
  const groupNumbers = new Map(groups.map(({ name }, index) => [name, index]));
  const row = (finding: Finding): ReportFindingRow => {
    const standing = verdict.standings.get(finding.id) ?? { kind: 'new' as const };
    return [
      groupNumbers.get(finding.group) ?? 0,
      SEVERITIES.indexOf(finding.severity),
      urls.numberOf(finding.url),
      shownText(finding.message, MESSAGE),
      evidenceLines(finding.evidence).map(([name, value]) => [name, shownText(value, EVIDENCE)] as const),
      finding.sources.count,
      finding.sources.first
        .slice(0, MOST_SOURCES)
        .map(({ url, text = '' }) => [urls.numberOf(url), shownText(text, 80)] as const),
      ['new', 'accepted', 'expired'].indexOf(standing.kind),
      standing.kind === 'new' ? '' : shownText(standing.entry.reason, MESSAGE),
    ];
  };
  return {
    origins: originsOf(result),
    rules: ruleIds.map((id) => {
      const { title, category, why, fix, source } = ruleOf(id);
      return {
        id,
        title: shownText(title),
        category,
        why: shownText(why),
        fix: shownText(fix),
        source: [shownText(source.name), shownText(source.url)],
      };
    }),
    groups: groups.map(({ name, rule }) => [shownText(name, MESSAGE), ruleIds.indexOf(rule.id)]),
    findings: result.findings.slice(0, MOST_FINDINGS).map(row),
    pages: pageRows(result, urls),
    urls: urls.texts,
  };
}

/** Origins of seeds, as addresses begin with them. */
export function originsOf({ seeds }: Pick<AuditResult, 'seeds'>): readonly string[] {
  return [...new Set(seeds.flatMap((seed) => parsedUrl(seed)?.origin ?? []))].filter((origin) => origin !== 'null');
}

/** Findings that name each page: as the first that has them, or among the first that show them. */
export function findingsByPage({ findings }: AuditResult): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { url, sources } of findings)
    for (const each of new Set([url, ...sources.first.map((source) => source.url)]))
      counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function pageRows(result: AuditResult, urls: Numbered): readonly ReportPageRow[] {
  const counts = findingsByPage(result);
  return result.pages
    .map(({ url, title, status, depth, bytes, judged }): ReportPageRow => {
      const reason = judged === true ? '' : reasonWords(judged, 1).replace(/^1 /, '');
      return [
        urls.numberOf(url),
        shownText(title ?? '', MESSAGE),
        status ?? 0,
        depth,
        bytes ?? -1,
        counts.get(url) ?? 0,
        reason,
      ];
    })
    .toSorted((one, other) => other[5] - one[5])
    .slice(0, MOST_PAGES);
}
