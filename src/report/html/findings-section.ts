import { counted, grouped } from '../../base/count-words.ts';
import { RULE_CATEGORIES, SEVERITIES, type RuleCategory } from '../../model/finding.ts';
import type { AuditReport } from '../audit-report.ts';
import type { FindingGroup } from '../finding-groups.ts';
import { shownText } from '../shown-text.ts';
import { subjectWords } from '../subject-words.ts';
import { severityCounts } from '../verdict-words.ts';
import { bars } from './bars.ts';
import {
  findingMarkup,
  groupCounts,
  ruleMarkup,
  severityChip,
  templateOf,
  type FindingFrame,
} from './finding-markup.ts';
import { html, linkTo, Markup } from './markup.ts';
import { MOST_FINDINGS as MOST_SEARCHED } from './report-data.ts';

/** Groups that are shown first, groups that are written without scripts, and findings of each of those. */
const MOST_URGENT = 8;
const MOST_GROUPS = 150;
const MOST_FINDINGS = 5;

const CATEGORY_WORDS: Readonly<Record<RuleCategory, string>> = {
  links: 'Links',
  documents: 'Documents',
  behaviour: 'Behaviour',
  security: 'Security',
  weight: 'Weight',
  accessibility: 'Accessibility',
  site: 'Site',
};

/** The groups that are most urgent to mend. */
export function mendSection(groups: readonly FindingGroup[], frame: FindingFrame): Markup {
  const { words } = frame;
  const urgent = groups.filter(({ open }) => open > 0).slice(0, MOST_URGENT);
  if (urgent.length === 0)
    return html`<section id="mend">
      <h2>${words.first}</h2>
      <p>${words.nothingOpen}</p>
    </section>`;
  return html`<section id="mend">
    <h2>${words.first}</h2>
    <p class="lead">${words.firstWhy}</p>
    <ol class="urgent">
      ${urgent.map((group) => urgentMarkup(group, frame))}
    </ol>
  </section>`;
}

function urgentMarkup(group: FindingGroup, frame: FindingFrame): Markup {
  const { rule, severity, name, findings } = group;
  const [first] = findings;
  return html`<li class="card ${severity}">
    <div class="card-head">
      ${severityChip(severity)}
      <h3>${rule.title}</h3>
    </div>
    <p class="counts">${templateMarkup(templateOf(name, rule))}${groupCounts(group, frame)}</p>
    ${rule.fix === '' ? null : html`<p class="fix">${rule.fix}</p>`}
    ${first === undefined ? null : html`<p class="where muted">${shownText(first.message, 240)} ${linkTo(first.url, frame.origins)}</p>`}
  </li>`;
}

function templateMarkup(template: string): Markup | null {
  return template === '' ? null : html`<code>${template}</code> `;
}

/** All findings: by category and group; with scripts also as one list that can be searched. */
export function findingsSection(report: AuditReport, groups: readonly FindingGroup[], frame: FindingFrame): Markup {
  const { result } = report;
  const counts = severityCounts(result.findings);
  const categories = RULE_CATEGORIES.map((category) => ({
    category,
    groups: groups.filter(({ rule }) => rule.category === category),
  })).filter(({ groups: own }) => own.length > 0);
  const shown = new Set(groups.slice(0, MOST_GROUPS));
  const numbers = new Map(groups.map((group, index) => [group, index]));
  const left = groups.length - shown.size;
  const unsearched = result.findings.length - MOST_SEARCHED;
  return html`<section id="findings">
    <h2>
      ${frame.words.all}
      <span class="count">${grouped(result.findings.length)}</span>
    </h2>
    <div class="columns">
      ${bars(SEVERITIES.map((severity) => ({ label: `${severity}s`, count: counts[severity], tone: severity })))}
      ${bars(categories.map(({ category, groups: own }) => ({ label: CATEGORY_WORDS[category], count: countOf(own) })))}
    </div>
    ${unsearched > 0 ? html`<p class="muted">The search has the first ${grouped(MOST_SEARCHED)} ${frame.words.noun}s; ${grouped(unsearched)} more are in the JSON report.</p>` : null}
    ${toolbar(report)}
    <div id="finding-list" data-noun="${frame.words.noun}" hidden></div>
    <div id="finding-groups">
      ${categories.map(({ category, groups: own }) => categoryMarkup(category, own, { frame, shown, numbers }))}
      ${left > 0 ? html`<p class="muted">${counted(left, 'further group')} of ${frame.words.noun}s: search for them above (with scripts), or see the JSON report.</p>` : null}
    </div>
  </section>`;
}

function countOf(groups: readonly FindingGroup[]): number {
  return groups.reduce((sum, { findings }) => sum + findings.length, 0);
}

/** The toolbar, hidden until the script runs. */
function toolbar({ result, verdict }: AuditReport): Markup {
  const option = (value: string, label: string): Markup => html`<option value="${value}">${label}</option>`;
  return html`<form class="toolbar" id="finding-filter" hidden>
    <label class="search"
      ><span>Search ${subjectWords(result).noun}s</span
      ><input type="search" name="text" placeholder="message, address, rule, evidence" autocomplete="off"
    /></label>
    <label
      ><span>Severity</span
      ><select name="severity">
        ${option('', 'all')}${SEVERITIES.map((severity, index) => option(String(index), severity))}
      </select></label
    >
    <label
      ><span>Category</span
      ><select name="category">
        ${option('', 'all')}${RULE_CATEGORIES.map((category) => option(category, CATEGORY_WORDS[category]))}
      </select></label
    >
    ${
      verdict.comparison === null
        ? null
        : html`<label
            ><span>Baseline</span
            ><select name="standing">
              ${option('', 'all')}${option('0', 'new')}${option('1', 'accepted')}${option('2', 'expired')}
            </select></label
          >`
    }
    <label
      ><span>Order</span
      ><select name="order">
        ${option('', 'severity')}${option('pages', 'most pages')}${option('url', 'address')}${option('rule', 'rule')}
      </select></label
    >
    <button type="reset">Reset</button>
  </form>`;
}

interface CategoryFrame {
  readonly frame: FindingFrame;
  readonly shown: ReadonlySet<FindingGroup>;
  /** Numbers of groups in the data for the script. */
  readonly numbers: ReadonlyMap<FindingGroup, number>;
}

function categoryMarkup(category: RuleCategory, groups: readonly FindingGroup[], frame: CategoryFrame): Markup {
  const byRule = new Map<string, FindingGroup[]>();
  for (const group of groups) {
    const known = byRule.get(group.rule.id);
    if (known === undefined) byRule.set(group.rule.id, [group]);
    else known.push(group);
  }
  return html`<h3 class="category">
      ${CATEGORY_WORDS[category]} <span class="count">${grouped(countOf(groups))}</span>
    </h3>
    ${[...byRule.values()].map((own) => ruleDetails(own, frame))}`;
}

/** A rule with its groups, the most urgent first. */
function ruleDetails(groups: readonly FindingGroup[], { frame, shown, numbers }: CategoryFrame): Markup {
  const [first] = groups;
  if (first === undefined) return new Markup('');
  const { rule, severity } = first;
  const open = groups.filter((group) => group.open > 0);
  const all = {
    findings: groups.flatMap(({ findings }) => findings),
    open: open.reduce((sum, group) => sum + group.open, 0),
    places: (open.length > 0 ? open : groups).reduce((sum, { places }) => sum + places, 0),
  };
  const written = groups.filter((group) => shown.has(group));
  const left = groups.length - written.length;
  return html`<details class="group ${severity}">
    <summary>
      ${severityChip(severity)}<span class="group-title">${rule.title}</span
      ><span class="group-count">${groupCounts(all, frame)}</span>
    </summary>
    <div class="group-body">
      ${ruleMarkup(rule)} ${written.map((group) => groupMarkup(group, numbers.get(group) ?? 0, frame))}
      ${left > 0 ? html`<p class="muted">and ${counted(left, 'further kind')} of pages</p>` : null}
    </div>
  </details>`;
}

function groupMarkup(group: FindingGroup, index: number, frame: FindingFrame): Markup {
  const { rule, name, findings } = group;
  const more = findings.length - MOST_FINDINGS;
  return html`<h4>${templateMarkup(templateOf(name, rule))}<span class="count">${groupCounts(group, frame)}</span></h4>
    <ul class="findings">
      ${findings.slice(0, MOST_FINDINGS).map((finding) => findingMarkup(finding, frame))}
    </ul>
    ${
      more > 0
        ? html`<p class="more-findings">
            <span class="muted">and ${grouped(more)} more</span>
            <button type="button" class="all" data-group="${index}" hidden>Show all ${grouped(findings.length)}</button>
          </p>`
        : null
    }`;
}
