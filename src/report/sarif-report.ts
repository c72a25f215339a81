/**
 * SARIF 2.1.0 (OASIS). Addresses of pages are relative references: code scanning of GitHub refuses a whole file in which one is absolute ("SARIF
 * URI scheme "https" did not match the checkout URI scheme "file""), reads no originalUriBaseIds, and wants a line. So a page is named by its
 * path, a page of another host by host and path; the whole URL stands in the message and in the properties.
 */
import { safeJson } from '../base/safe-json.ts';
import { siteAddresses } from '../core/gates/site-address.ts';
import type { Standing } from '../core/gates/baseline.ts';
import type { Finding, RuleInfo, Severity } from '../model/finding.ts';
import type { AuditReport } from './audit-report.ts';
import { coverageSentences } from './coverage-words.ts';
import { evidenceLines } from './evidence-lines.ts';
import { rulesById } from './finding-groups.ts';
import { shownText } from './shown-text.ts';
import { subjectWords } from './subject-words.ts';
import { countSentence, verdictSentence } from './verdict-words.ts';

/** GitHub refuses files with more results in a run. */
const MOST_RESULTS = 25_000;
/** GitHub shows so many locations of a result. */
const MOST_LOCATIONS = 100;
const HOME = 'https://github.com/orbweaver-crawler/orbweaver';
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', notice: 'note' };

export function sarifReport(report: AuditReport): string {
  const { result, verdict, version } = report;
  const isAccepted = ({ id }: Finding): boolean => verdict.standings.get(id)?.kind === 'accepted';
  const findings = result.findings
    .toSorted((one, other) => Number(isAccepted(one)) - Number(isAccepted(other))) // what is accepted is cut first
    .slice(0, MOST_RESULTS);
  const ruleOf = rulesById(result);
  const ids = [...new Set([...result.rules.map(({ id }) => id), ...findings.map(({ rule }) => rule)])];
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const locate = locator(result.seeds);
  const left = result.findings.length - findings.length;
  const run = {
    tool: { driver: driver(version, ids.map(ruleOf)) },
    invocations: [
      {
        executionSuccessful: true,
        startTimeUtc: result.started,
        toolExecutionNotifications: [
          ...coverageSentences(result.coverage),
          countSentence(report),
          verdictSentence(report),
          ...result.notes,
          ...(left > 0
            ? [`${left} further ${subjectWords(result).noun}s are left out: the format's readers take ${MOST_RESULTS}.`]
            : []),
        ].map((text) => ({ level: 'note', message: { text: shownText(text) } })),
      },
    ],
    columnKind: 'utf16CodeUnits',
    properties: { coverage: result.coverage, seeds: result.seeds.map((seed) => shownText(seed)) },
    results: findings.map((finding) => ({
      ruleId: finding.rule,
      ruleIndex: indexes.get(finding.rule),
      ...resultOf(finding, verdict.standings.get(finding.id) ?? { kind: 'new' }, locate),
      ...(verdict.comparison === null ? {} : { baselineState: stateOf(verdict.standings.get(finding.id)) }),
    })),
  };
  return `${safeJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] })}\n`;
}

function driver(version: string, rules: readonly RuleInfo[]): object {
  return {
    name: 'orbweaver',
    version,
    semanticVersion: version,
    informationUri: HOME,
    rules: rules.map(({ id, severity, category, title, why, fix, source }) => ({
      id,
      name: pascalCase(id),
      shortDescription: { text: title },
      fullDescription: { text: why === '' ? title : why },
      help: {
        text: fix === '' ? title : fix,
        markdown: `${why}\n\n**How to mend it:** ${fix}\n\n[${source.name}](${source.url})`,
      },
      ...(/^https?:\/\/[^\s"<>]+$/.test(source.url) ? { helpUri: source.url } : {}),
      defaultConfiguration: { level: LEVELS[severity] },
      properties: { tags: [category], 'problem.severity': severity === 'notice' ? 'recommendation' : severity },
    })),
  };
}

/** `BrokenLink`: names of rules are no identifiers of their own. */
function pascalCase(id: string): string {
  return id.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

type Locate = (url: string) => string;

function resultOf(finding: Finding, standing: Standing, locate: Locate): object {
  const { id, severity, confidence, url, target, message, evidence, group, sources } = finding;
  const more = sources.count > 1 ? ` (and ${sources.count - 1} more)` : '';
  const others = sources.first.filter((source) => source.url !== url).slice(0, MOST_LOCATIONS);
  return {
    level: LEVELS[severity],
    message: { text: `${sentence(shownText(message))} Page: ${shownText(url)}${more}` },
    locations: [location(url, locate, evidence.snippet)],
    ...(others.length === 0
      ? {}
      : {
          relatedLocations: others.map((source, id) => ({
            id: id + 1,
            ...location(source.url, locate, undefined),
            message: { text: shownText(source.url) },
          })),
        }),
    partialFingerprints: { primaryLocationLineHash: `${id}:1`, 'orbweaver/v1': id },
    ...(standing.kind === 'accepted'
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: shownText(standing.entry.reason) }] }
      : {}),
    properties: {
      url: shownText(url),
      ...(target === null ? {} : { target: shownText(target) }),
      confidence,
      group: shownText(group),
      pages: sources.count,
      evidence: evidenceLines(evidence).map(([name, value]) => `${name}: ${shownText(value)}`),
    },
  };
}

/** The text with a full stop at its end. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function location(url: string, locate: Locate, snippet: string | undefined): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: locate(url) },
      region: { startLine: 1, ...(snippet === undefined ? {} : { snippet: { text: shownText(snippet) } }) },
    },
    logicalLocations: [{ kind: 'resource', fullyQualifiedName: shownText(url) }],
  };
}

/** Longer paths name no page that a person opens. */
const MOST_PATH = 500;

/** A relative reference without scheme, query and dots: `blog/post`, `index.html` for a folder, `other.example/about`. */
function locator(seeds: readonly string[]): Locate {
  const addressOf = siteAddresses(seeds);
  return (url) => {
    const address = shownText(addressOf(url), MOST_PATH).replace(/^\/+/, '');
    const pieces = address.split('/').map((piece) => encodeURIComponent(decoded(piece)));
    const path = pieces
      .filter((piece, at) => !/^\.\.?$/.test(piece) && (piece !== '' || at === pieces.length - 1))
      .join('/');
    return path === '' || path.endsWith('/') ? `${path}index.html` : path;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An entry that has expired counts as new, even if the finding was there before. */
function stateOf(standing: Standing | undefined): string {
  return standing?.kind === 'accepted' ? 'unchanged' : 'new';
}
