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
          ${pages.map(
            ({ url, median, failure }) =>
              html`<tr>
                <td class="page">
                  ${linkTo(url, origins)}${median === null ? html`<span class="muted">not measured: ${failure ?? ''}</span>` : null}
                </td>
                <td data-name="FCP">${time(median?.fcp)}</td>
                <td data-name="LCP">${time(median?.lcp)}</td>
                <td data-name="CLS">${median === null ? '–' : median.cls.toFixed(2)}</td>
                <td data-name="TBT">${time(median?.tbt)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  return { id: 'paint', title: 'Paint', content: pages.length === 0 ? null : content };
}

function time(value: number | null | undefined): string {
  return value == null ? '–' : `${Math.round(value)} ms`;
}
