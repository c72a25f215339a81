import { grouped } from '../../base/count-words.ts';
import { sizeWords } from '../../base/size-words.ts';
import type { AuditedPage } from '../../model/finding.ts';
import type { ReportPageRow, ReportData } from '../../model/report-data.ts';
import type { AuditReport } from '../audit-report.ts';
import { subjectWords } from '../subject-words.ts';
import { bars, type Bar } from './bars.ts';
import { html, linkTo, type Markup } from './markup.ts';

/** Pages that are listed without scripts: those with the most findings. */
const LISTED = 50;

export function pagesSection({ result }: AuditReport, data: ReportData): Markup {
  const { noun, all } = subjectWords(result);
  const rows = data.pages.slice(0, LISTED);
  const unlisted = result.pages.length - data.pages.length;
  const left = data.pages.length - rows.length;
  const isCut = result.findings.some(({ sources: { count, first } }) => count > first.length);
  return html`<section id="pages">
    <h2>Pages <span class="count">${grouped(result.pages.length)}</span></h2>
    <div class="columns three">
      <div>
        <h3>By status</h3>
        ${bars(byStatus(result.pages))}
      </div>
      <div>
        <h3>By clicks from a seed</h3>
        ${bars(byDepth(result.pages))}
      </div>
      <div>
        <h3>By weight of the document</h3>
        ${bars(byWeight(result.pages))}
      </div>
    </div>
    <form class="toolbar" id="page-filter" hidden>
      <label class="search"
        ><span>Search pages</span><input type="search" name="text" placeholder="address or title" autocomplete="off"
      /></label>
      <label
        ><span>Show</span
        ><select name="show">
          <option value="">all</option>
          <option value="findings">with ${noun}s</option>
          <option value="judged">judged</option>
          <option value="not-judged">not judged</option>
          <option value="errors">status 400 and above</option>
        </select></label
      >
    </form>
    <div class="table">
      <table id="page-table">
        <thead>
          <tr>
            ${['Page', 'Status', 'Clicks', 'Weight', all].map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => pageMarkup(row, data))}
        </tbody>
      </table>
    </div>
    <p class="muted" id="page-more">
      ${left > 0 ? `The ${grouped(rows.length)} pages with the most ${noun}s; ${grouped(left)} more with scripts, or in the JSON report.` : null}
    </p>
    ${isCut ? html`<p class="muted">A ${noun} that many pages show counts for the first of them only, which it lists.</p>` : null}
    ${unlisted > 0 ? html`<p class="muted">The table has the ${grouped(data.pages.length)} pages with the most ${noun}s; ${grouped(unlisted)} more are in the JSON report.</p>` : null}
  </section>`;
}

function pageMarkup(
  [url, title, status, depth, bytes, findings, reason]: ReportPageRow,
  { urls, origins }: ReportData,
): Markup {
  return html`<tr>
    <td class="page">
      ${title === '' ? null : html`<span class="title">${title}</span>`}${linkTo(urls[url] ?? '', origins)}${reason === '' ? null : html`<span class="muted">not judged: ${reason}</span>`}
    </td>
    <td data-name="status">${status === 0 ? '–' : String(status)}</td>
    <td data-name="clicks">${depth}</td>
    <td data-name="weight">${bytes < 0 ? '–' : sizeWords(bytes)}</td>
    <td data-name="findings">${grouped(findings)}</td>
  </tr>`;
}

function byStatus(pages: readonly AuditedPage[]): readonly Bar[] {
  const counts = countedBy(pages, ({ status }) => (status === null ? 'no answer' : String(status)));
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, count]) => ({ label, count, tone: toneOf(label) }));
}

function toneOf(status: string): NonNullable<Bar['tone']> {
  if (/^[2]/.test(status)) return 'good';
  return /^3/.test(status) ? 'notice' : 'error';
}

/** Deeper pages are shown together. */
const DEEPEST = 8;

function byDepth(pages: readonly AuditedPage[]): readonly Bar[] {
  const counts = countedBy(pages, ({ depth }) => Math.min(depth, DEEPEST));
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([depth, count]) => ({ label: depth === DEEPEST ? `${DEEPEST} or more` : String(depth), count }));
}

const KB = 1024;
const WEIGHTS: readonly (readonly [least: number, label: string, tone: NonNullable<Bar['tone']>])[] = [
  [0, 'below 10 kB', 'quiet'],
  [10 * KB, '10 to 50 kB', 'quiet'],
  [50 * KB, '50 to 100 kB', 'quiet'],
  [100 * KB, '100 to 500 kB', 'warning'],
  [500 * KB, 'over 500 kB', 'error'],
];

function byWeight(pages: readonly AuditedPage[]): readonly Bar[] {
  const weights = pages.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  const counts = countedBy(weights, (bytes) => WEIGHTS.findLastIndex(([least]) => bytes >= least));
  return WEIGHTS.map(([, label, tone], index) => ({ label, count: counts.get(index) ?? 0, tone }));
}

function countedBy<Item, Key>(all: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of all) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
