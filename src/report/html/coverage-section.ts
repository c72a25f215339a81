import { grouped } from '../../base/count-words.ts';
import { judgedShare } from '../../core/gates/verdict.ts';
import type { AuditCoverage } from '../../model/finding.ts';
import type { AuditReport } from '../audit-report.ts';
import { coverageSentences, notJudgedReasons, pagesOnly, reasonWords, shareWords } from '../coverage-words.ts';
import { stackedBar } from './bars.ts';
import { html, linkTo, type Markup } from './markup.ts';

/** The coverage, which comes before all findings. */
export function coverageSection({ result }: AuditReport, origins: readonly string[]): Markup {
  const { coverage } = result;
  const { expected, seen, judged, notJudgedPages, redirected = 0, files = 0 } = coverage;
  const pages = pagesOnly(coverage);
  const reasons = notJudgedReasons(coverage);
  const notJudged = reasons.reduce((sum, [, count]) => sum + count, 0);
  const unseen = Math.max(0, expected - seen);
  const [first = '', ...sentences] = coverageSentences(coverage);
  if (coverage.compared !== undefined) return comparedSection(coverage, coverage.compared, [first, ...sentences]);
  return html`<section id="coverage">
    <h2>Coverage</h2>
    <p class="lead">What this audit looked at. Whatever was not judged, the findings say nothing about.</p>
    <dl class="figures">
      <div>
        <dt>expected</dt>
        <dd>${grouped(pages.expected)}</dd>
      </div>
      <div>
        <dt>seen</dt>
        <dd>${grouped(pages.seen)}</dd>
      </div>
      <div>
        <dt>judged</dt>
        <dd>${grouped(judged)}</dd>
      </div>
      <div>
        <dt>of the expected</dt>
        <dd>${shareWords(judgedShare(coverage))}</dd>
      </div>
    </dl>
    ${stackedBar([
      { label: 'judged', count: judged, tone: 'good' },
      { label: 'not judged', count: notJudged, tone: 'warning' },
      { label: 'no pages', count: redirected + files, tone: 'notice' },
      { label: 'not seen', count: unseen, tone: 'quiet' },
    ])}
    <p class="legend">
      <span class="key good">${grouped(judged)} judged</span>
      <span class="key warning">${grouped(notJudged)} not judged</span>
      ${redirected + files === 0 ? null : html`<span class="key notice">${grouped(redirected + files)} no pages</span>`}
      <span class="key quiet">${grouped(unseen)} not seen</span>
    </p>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
    ${
      notJudgedPages.length === 0
        ? null
        : html`<details class="more">
            <summary>Examples of pages that were not judged</summary>
            <ul class="plain">
              ${notJudgedPages.map(
                ({ url, reason }) =>
                  html`<li>
                    ${linkTo(url, origins)} <span class="muted">${reasonWords(reason, 1).replace(/^1 /, '')}</span>
                  </li>`,
              )}
            </ul>
          </details>`
    }
  </section>`;
}

/** The counts of a comparison. */
function comparedSection(
  { expected, judged }: AuditCoverage,
  { before, now, both, changed }: NonNullable<AuditCoverage['compared']>,
  sentences: readonly string[],
): Markup {
  const figures = [
    ['pages before', before],
    ['pages now', now],
    ['compared', both],
    ['differ', changed],
  ] as const;
  return html`<section id="coverage">
    <h2>Coverage</h2>
    <p class="lead">What was compared. Of whatever one of both crawls did not see, nothing is said.</p>
    <dl class="figures">
      ${figures.map(
        ([name, count]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${grouped(count)}</dd>
          </div>`,
      )}
    </dl>
    ${stackedBar([
      { label: 'as before', count: Math.max(0, judged - changed), tone: 'good' },
      { label: 'differ', count: changed, tone: 'warning' },
      { label: 'not seen', count: expected - judged, tone: 'quiet' },
    ])}
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </section>`;
}
