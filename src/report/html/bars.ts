import { grouped } from '../../base/count-words.ts';
import { html, type Markup } from './markup.ts';

export interface Bar {
  readonly label: string;
  readonly count: number;
  /** A class of the style sheet that colours it. */
  readonly tone?: 'error' | 'warning' | 'notice' | 'good' | 'quiet';
}

/** Bars beside each other's labels, the longest over the whole width. */
export function bars(all: readonly Bar[]): Markup {
  const most = Math.max(1, ...all.map(({ count }) => count));
  return html`<ul class="bars">
    ${all.map(
      ({ label, count, tone = 'quiet' }) =>
        html`<li>
          <span class="bar-label">${label}</span
          ><svg class="bar ${tone}" width="100%" height="10" aria-hidden="true">
            <rect class="track" width="100%" height="10" rx="3" />
            <rect class="fill" width="${widthOf(count, most)}%" height="10" rx="3" /></svg
          ><span class="bar-count">${grouped(count)}</span>
        </li>`,
    )}
  </ul>`;
}

/** One bar whose parts make up the whole. */
export function stackedBar(parts: readonly Bar[]): Markup {
  const whole = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  let at = 0;
  const pieces = parts.map(({ count, tone = 'quiet' }) => {
    const piece = html`<rect
      class="fill ${tone}"
      x="${(at * 100) / whole}%"
      width="${(count * 100) / whole}%"
      height="14"
    />`;
    at += count;
    return piece;
  });
  return html`<svg class="stack" width="100%" height="14" aria-hidden="true">${pieces}</svg>`;
}

/** The width of a bar; every count above 0 is visible. */
function widthOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, Math.round((count * 1000) / most) / 10);
}
