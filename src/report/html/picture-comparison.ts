/**
 * Two screenshots of a page and their differences, as a part of a report: side by side with the picture of the difference, which needs no
 * script, and as a slider, which the report's script makes work. The pictures are files beside the report.
 */
import { counted, grouped } from '../../base/count-words.ts';
import { percentWords } from '../../core/diff/screenshot.ts';
import type { PictureChange } from '../../model/picture-change.ts';
import { html, type Markup } from './markup.ts';

/** A change whose pictures have addresses relative to the report. */
export type ComparedPictures = Omit<PictureChange, 'url' | 'sizes'>;

/** Regions that are listed. */
const SHOWN = 10;
/** Addresses of files beside the report, and no others. */
const FILE = /^(?![a-z][a-z+.-]*:|\/)[^\s"'<>\\]{1,500}\.(?:png|jpg)$/i;

/** The pictures of one page in one window. */
export function pictureComparison(compared: ComparedPictures): Markup {
  const { viewport, regions, regionsTotal } = compared;
  const window = viewport === 'first' ? '' : `Window of ${viewport} pixels: `;
  return html`<div class="compared">
    <p>${window}${figures(compared)}</p>
    <div class="beside">
      ${picture('Before', compared.before)} ${picture('After', compared.after)}
      ${picture('What differs', compared.difference)}
    </div>
    ${slider(compared)}
    ${
      regions.length === 0
        ? null
        : html`<ul class="regions">
            ${regions
              .slice(0, SHOWN)
              .map(
                ({ x, y, width, height, pixels, selector }) =>
                  html`<li>
                    ${selector === null ? 'A part of the page' : html`<code>${selector}</code>`}: ${width} × ${height}
                    at ${x}, ${y}, ${counted(pixels, 'pixel')}
                  </li>`,
              )}
            ${regionsTotal > SHOWN ? html`<li class="muted">${grouped(regionsTotal - SHOWN)} more</li>` : null}
          </ul>`
    }
  </div>`;
}

function figures({ share, uncompared, regionsTotal }: ComparedPictures): string {
  const rest = uncompared === 0 ? '' : `; ${counted(uncompared, 'pixel')} only one of them has`;
  return `${percentWords(share)} differ, in ${counted(regionsTotal, 'region')}${rest}.`;
}

function picture(title: string, file: string | null): Markup {
  if (file === null || !FILE.test(file)) return html`<figure><figcaption>${title}: none</figcaption></figure>`;
  return html`<figure>
    <figcaption>${title}</figcaption>
    <a href="${file}"><img src="${file}" alt="${title}" loading="lazy" /></a>
  </figure>`;
}

/** The slider, hidden until the script shows it: without the script it would show the later picture alone. */
function slider({ before, after }: ComparedPictures): Markup | null {
  if (before === null || after === null || !FILE.test(before) || !FILE.test(after)) return null;
  return html`<div class="slider" hidden>
    <div class="stack">
      <img src="${after}" alt="After" loading="lazy" /><img class="over" src="${before}" alt="Before" loading="lazy" />
    </div>
    <label>Before and after <input type="range" min="0" max="100" value="50" /></label>
  </div>`;
}
