/** Findings and their groups as the report shows them without scripts. */
import { counted, grouped } from '../../base/count-words.ts';
import type { AuditVerdict } from '../../core/gates/verdict.ts';
import type { Finding, RuleInfo, Severity } from '../../model/finding.ts';
import { isShownLink } from '../../model/report-data.ts';
import { evidenceLines } from '../evidence-lines.ts';
import type { FindingGroup } from '../finding-groups.ts';
import type { SubjectWords } from '../subject-words.ts';
import { html, linkTo, type Markup } from './markup.ts';

export interface FindingFrame {
  readonly origins: readonly string[];
  readonly verdict: AuditVerdict;
  readonly words: SubjectWords;
}

/** Pages that a finding lists. */
const MOST_SOURCES = 5;

export function severityChip(severity: Severity): Markup {
  return html`<span class="chip ${severity}">${severity}</span>`;
}

export function findingMarkup(finding: Finding, { origins, verdict }: FindingFrame): Markup {
  const { message, url, sources } = finding;
  const standing = verdict.standings.get(finding.id) ?? { kind: 'new' as const };
  const others = sources.first.filter((source) => source.url !== url).slice(0, MOST_SOURCES);
  const [own] = sources.first.filter((source) => source.url === url);
  const more = sources.count - 1 - others.length;
  return html`<li class="finding">
    <p class="message">${message}</p>
    <p class="where">${linkTo(url, origins)}${anchor(own?.text)}</p>
    ${
      others.length === 0
        ? null
        : html`<p class="others">
            also
            ${others.map((source, index) => html`${index === 0 ? '' : ', '}${linkTo(source.url, origins)}${anchor(source.text === own?.text ? undefined : source.text)}`)}${more > 0 ? ` and ${grouped(more)} more` : ''}
          </p>`
    }${evidenceMarkup(finding)}${
      standing.kind === 'new' || verdict.comparison === null
        ? null
        : html`<p class="accepted">
            ${standing.kind === 'accepted' ? 'Accepted' : 'Was accepted'}:
            ${standing.entry.reason}${standing.entry.until === null ? '' : ` (until ${standing.entry.until})`}
          </p>`
    }
  </li>`;
}

function evidenceMarkup({ evidence }: Finding): Markup | null {
  const lines = evidenceLines(evidence);
  if (lines.length === 0) return null;
  return html`<dl class="evidence">
    ${lines.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${name === 'change' ? changeMarkup(value) : html`<code>${value}</code>`}</dd>
        </div>`,
    )}
  </dl>`;
}

/** `[-old-] {+new+}`, with the removed and the added words marked. */
function changeMarkup(change: string): Markup {
  const pieces = change.split(/(\[-.*?-\]|\{\+.*?\+\})/s);
  return html`<span class="change"
    >${pieces.map((piece) => {
      if (/^\[-.*-\]$/s.test(piece)) return html`<del>${piece.slice(2, -2)}</del>`;
      return /^\{\+.*\+\}$/s.test(piece) ? html`<ins>${piece.slice(2, -2)}</ins>` : html`${piece}`;
    })}</span
  >`;
}

function anchor(text: string | undefined): Markup | null {
  return text === undefined || text === '' ? null : html` <span class="muted">“${text}”</span>`;
}

/** The template of a group's pages, which follows its rule in the name. */
export function templateOf(name: string, rule: RuleInfo): string {
  return name.startsWith(`${rule.id} `) ? name.slice(rule.id.length + 1) : name === rule.id ? '' : name;
}

/** The places are those of what is new, where anything is. */
export function groupCounts(
  { open, findings, places }: Pick<FindingGroup, 'open' | 'findings' | 'places'>,
  { words }: FindingFrame,
): string {
  const accepted = findings.length - open;
  const where = `in ${counted(places, 'place')}`;
  if (accepted === 0) return `${counted(open, words.noun)} ${where}`;
  if (open === 0) return `${grouped(accepted)} accepted ${where}`;
  return `${grouped(open)} new ${where}, ${grouped(accepted)} accepted`;
}

/** Why a rule matters, how to mend a finding, and the source of the rule. */
export function ruleMarkup({ why, fix, source }: RuleInfo): Markup {
  return html`<div class="rule">
    ${why === '' ? null : html`<p><b>Why.</b> ${why}</p>`}${fix === '' ? null : html`<p><b>Mend.</b> ${fix}</p>`}${
      source.name === ''
        ? null
        : html`<p class="muted">
            ${isShownLink(source.url) ? html`<a href="${source.url}" rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank">${source.name}</a>` : source.name}
          </p>`
    }
  </div>`;
}
