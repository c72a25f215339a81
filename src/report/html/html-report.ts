/**
 * The report as one HTML file that needs nothing else and may do nothing else: its policy allows this one style sheet, this one script, and pictures
 * of the crawl folder. It is readable without the script, which only filters, sorts and shows what was left out.
 */
import { createHash } from 'node:crypto';
import { safeJson } from '../../base/safe-json.ts';
import { siteHosts } from '../../core/gates/site-address.ts';
import type { ReportData } from '../../model/report-data.ts';
import type { AuditReport } from '../audit-report.ts';
import { findingGroups } from '../finding-groups.ts';
import { sinceWords, subjectWords, type SubjectWords } from '../subject-words.ts';
import { baselineSentences, countSentence, gateWords } from '../verdict-words.ts';
import { coverageSection } from './coverage-section.ts';
import { findingsSection, mendSection } from './findings-section.ts';
import { changedPicturesSection } from './changed-pictures-section.ts';
import {
  duplicatesSection,
  externalSection,
  inventorySection,
  notesSection,
  picturesSection,
  rulesSection,
  trapsSection,
  type Section,
} from './further-sections.ts';
import { paintSection } from './paint-section.ts';
import { SOURCE as SCRIPT } from './generated/report.ts';
import { html, linkTo, Markup } from './markup.ts';
import { STYLE } from './page-style.ts';
import { pagesSection } from './pages-section.ts';
import { originsOf, reportData } from './report-data.ts';

/** @param crawlFolder the way from the report's folder to the crawl folder; null where there is none */
export function htmlReport(report: AuditReport, crawlFolder: string | null): string {
  const { result, verdict, version } = report;
  const origins = originsOf(result);
  const groups = findingGroups(report);
  const data = reportData(report, groups);
  const words = subjectWords(result);
  const frame = { origins, verdict, words };
  const further = furtherSections(report, crawlFolder, origins);
  const since = sinceWords(result);
  const title = `${words.title} ${siteHosts(result.seeds).slice(0, 3).join(', ')}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(policy())}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header class="wrap">
          <p class="brand">${words.brand}</p>
          <h1>${title}</h1>
          <p class="muted">
            Crawled <time datetime="${result.started}">${dayAndTime(result.started)}</time> from
            ${result.seeds.slice(0, 5).map((seed, index) => html`${index === 0 ? '' : ', '}${linkTo(seed, [])}`)}${since === null ? '' : `; changes ${since}`}
          </p>
        </header>
        ${navigation(further, words)}
        <main class="wrap">
          <div class="top">${coverageSection(report, origins)} ${verdictSection(report)}</div>
          ${mendSection(groups, frame)} ${findingsSection(report, groups, frame)} ${pagesSection(report, data)}
          ${further.map(
            ({ id, title: heading, content }) =>
              html`<section id="${id}">
                <h2>${heading}</h2>
                ${content ?? ''}
              </section>`,
          )}
        </main>
        <footer class="wrap">
          <p>
            Made by Orbweaver ${version}. The report says what was looked at and what was found there; it says nothing
            about what was not looked at.
          </p>
        </footer>
        ${raw(`<script type="application/json" id="report-data">${dataText(data)}</script>`)}
        ${raw(`<script>${SCRIPT}</script>`)}
      </body>
    </html> `;
  return page.text;
}

/** JSON for an element: nothing in it ends the element, or begins a comment. */
function dataText(data: ReportData): string {
  return safeJson(data).replaceAll('<', String.raw`\u003c`);
}

/** Markup that only this program writes. Also markup that templates may not change: policies name the hash of style and script. */
function raw(text: string): Markup {
  return new Markup(text);
}

function policy(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function furtherSections(
  { result }: AuditReport,
  crawlFolder: string | null,
  origins: readonly string[],
): readonly Section[] {
  return [
    changedPicturesSection(result, crawlFolder, origins),
    duplicatesSection(result, origins),
    trapsSection(result),
    externalSection(result, origins),
    inventorySection(result),
    paintSection(result, origins),
    picturesSection(result, crawlFolder, origins),
    rulesSection(result),
    notesSection(result),
  ].filter(({ content }) => content !== null);
}

function navigation(further: readonly Section[], words: SubjectWords): Markup {
  const own = [
    ['coverage', 'Coverage'],
    ['verdict', 'Verdict'],
    ['mend', words.firstShort],
    ['findings', words.all],
    ['pages', 'Pages'],
  ] as const;
  const all = [...own, ...further.map(({ id, title }) => [id, title] as const)];
  return html`<nav aria-label="Sections">
    <div class="wrap">${all.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</div>
  </nav>`;
}

function verdictSection(report: AuditReport): Markup {
  const { verdict } = report;
  const { gates, passed } = verdict;
  const { noun } = subjectWords(report.result);
  const headline = gates.length === 0 ? 'No gate was set' : passed ? 'Passed' : 'Failed';
  const tone = gates.length === 0 ? '' : passed ? 'passed' : 'failed';
  return html`<section id="verdict">
    <h2>Verdict</h2>
    <div class="verdict ${tone}">
      <p class="headline">${headline}</p>
      <p>${countSentence(report)}</p>
      ${baselineSentences(verdict).map((sentence) => html`<p class="muted">${sentence}</p>`)}${
        gates.length === 0
          ? null
          : html`<ul>
              ${gates.map((gate) => html`<li><span class="chip ${gate.failed ? 'failed' : 'passed'}">${gate.failed ? 'failed' : 'passed'}</span><span>${gateWords(gate, noun)}</span></li>`)}
            </ul>`
      }
    </div>
  </section>`;
}

/** `2026-11-23, 09:00 UTC`. */
function dayAndTime(moment: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(moment) ?? [];
  return day === undefined || time === undefined ? moment : `${day}, ${time} UTC`;
}
