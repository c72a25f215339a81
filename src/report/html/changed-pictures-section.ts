/** Pages that look different, with their pictures before and after. */
import { counted } from '../../base/count-words.ts';
import type { AuditResult } from '../../model/finding.ts';
import type { PictureChange } from '../../model/picture-change.ts';
import type { Section } from './further-sections.ts';
import { html, linkTo } from './markup.ts';
import { pictureComparison, type ComparedPictures } from './picture-comparison.ts';

/** The number of pictures that are drawn (compare/drawn-pictures.ts). */
const MOST = 100;

/** @param crawlFolder the way from the report to the crawl folder; null where there is none */
export function changedPicturesSection(
  { pictures = [] }: AuditResult,
  crawlFolder: string | null,
  origins: readonly string[],
): Section {
  const drawn = pictures.filter(({ difference }) => difference !== null);
  const shown = (drawn.length > 0 ? drawn : pictures).slice(0, MOST);
  const content = html`<p class="lead">
      ${counted(pictures.length, 'screenshot')} that differ. The pictures lie in the crawl folder and are not part of
      this file.
    </p>
    ${shown.map(
      (change) =>
        html`<h3>${linkTo(change.url, origins)}</h3>
          ${pictureComparison(placed(change, crawlFolder))}`,
    )}
    ${pictures.length > shown.length ? html`<p class="muted">and ${counted(pictures.length - shown.length, 'further screenshot')}</p>` : null}`;
  return { id: 'changed-pictures', title: 'What looks different', content: pictures.length === 0 ? null : content };
}

function placed(change: PictureChange, crawlFolder: string | null): ComparedPictures {
  const place = (path: string | null): string | null =>
    path === null || crawlFolder === null
      ? null
      : `${crawlFolder}/${path}`.split('/').map(encodeURIComponent).join('/');
  return { ...change, before: place(change.before), after: place(change.after), difference: place(change.difference) };
}
