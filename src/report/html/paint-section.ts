import type { AuditResult } from '../../model/finding.ts';
import type { Section } from './further-sections.ts';
import { html, linkTo } from './markup.ts';

/** Measured figures, the slowest pages first. */
export function paintSection({ measurements }: AuditResult, origins: readonly string[]): Section {
  const pages = (measurements?.pages ?? []).toSorted((one, other) => (other.median?.lcp ?? 0) - (one.median?.lcp ?? 0));
  const content = html`<p class="lead">One page of each template, as a reader's browser paints it.</p>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">page</th>
            <th scope="col">FCP</th>
            <th scope="col">LCP</th>
            <th scope="col">CLS</th>
            <th scope="col">TBT</th>
          </tr>
        </thead>
        <tbody>
          ${pages.map(({ url, median, failure }) =>
            median === null
              ? html`<tr>
                  <td>${linkTo(url, origins)}</td>
                  <td colspan="4" class="muted">${failure ?? 'not measured'}</td>
                </tr>`
              : html`<tr>
                  <td>${linkTo(url, origins)}</td>
                  <td>${time(median.fcp)}</td>
                  <td>${time(median.lcp)}</td>
                  <td>${median.cls.toFixed(2)}</td>
                  <td>${time(median.tbt)}</td>
                </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  return { id: 'paint', title: 'Paint', content: pages.length === 0 ? null : content };
}

function time(value: number | null): string {
  return value === null ? '–' : `${Math.round(value)} ms`;
}
