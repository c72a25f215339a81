/** Builds markup safely: every value given to a template is text, unless a template has made it. */
import { isShownLink, shortAddress } from '../../model/report-data.ts';
import { escapeXml } from '../escape.ts';
import { shownText } from '../shown-text.ts';

/** Markup that was made by {@link html}. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[] | null;

/** A template whose values are escaped, cut and freed from controls of direction; markup and lists of it stay. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const compact = compactPieces(pieces);
  let text = compact[0] ?? '';
  for (const [index, part] of parts.entries()) text += written(part) + (compact[index + 1] ?? '');
  return new Markup(text);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the line breaks of a template, which are for readers of the source: in the page each is one blank. */
function compactPieces(pieces: TemplateStringsArray): readonly string[] {
  const known = compacted.get(pieces) ?? pieces.map((piece) => piece.replaceAll(/\s*\n\s*/g, ' '));
  compacted.set(pieces, known);
  return known;
}

function written(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeXml(shownText(part));
  if (typeof part === 'number') return String(part);
  return part.map(({ text }) => text).join('');
}

/** A link to click on where the address allows one, shown without the origin of the site. */
export function linkTo(url: string, origins: readonly string[]): Markup {
  const shown = shownText(url);
  const label = shortAddress(shown, origins);
  return isShownLink(shown)
    ? html`<a class="url" href="${shown}" rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank"
        >${label}</a
      >`
    : html`<span class="url">${label}</span>`;
}
