/** The style sheets and scripts that a document's markup names, as a browser loads them. */
import { isProgram } from '../../core/html/traits.ts';
import { type HtmlElement, textOf } from '../../core/html/tree.ts';
import { styleLinks } from '../../core/links/markup/element-links.ts';
import { subresourceUrl, type LoadedSubresources } from '../../core/page-clusters/known-subresources.ts';

/** Most parts of each kind that count; a document with more is hardly like any other. */
const LIMIT = 500;

/** @param elements of the document itself, without those in templates or noscript */
export function loadedSubresources(elements: readonly HtmlElement[], base: string): LoadedSubresources {
  const sheets = new Set<string>();
  const scripts = new Set<string>();
  const add = (to: Set<string>, href: string | undefined): void => {
    const url = href === undefined || href.trim() === '' ? null : subresourceUrl(href, base);
    if (url !== null && to.size < LIMIT) to.add(url);
  };
  for (const element of elements) {
    const { name, attributes } = element;
    if (name === 'link') {
      const loaded = loadedAs(element);
      if (loaded !== null) add(loaded === 'sheet' ? sheets : scripts, attributes.get('href'));
    } else if (name === 'style') {
      for (const { href, context } of importsOf(textOf(element))) if (context.endsWith('@import')) add(sheets, href);
    } else if (name === 'script' && isProgram(element) && !isPassedOver(element)) {
      add(scripts, attributes.get('src') ?? attributes.get('href') ?? attributes.get('xlink:href'));
    }
  }
  return { sheets: [...sheets], scripts: [...scripts] };
}

function loadedAs({ namespace, attributes }: HtmlElement): 'sheet' | 'script' | null {
  if (namespace !== 'html') return null;
  const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  if (rel.includes('stylesheet')) {
    const type = (attributes.get('type') ?? '').trim().toLowerCase();
    return attributes.has('disabled') || (type !== '' && !type.startsWith('text/css')) ? null : 'sheet';
  }
  if (rel.includes('modulepreload')) return 'script';
  if (!rel.includes('preload')) return null;
  const as = (attributes.get('as') ?? '').trim().toLowerCase();
  return as === 'style' ? 'sheet' : as === 'script' ? 'script' : null;
}

function importsOf(text: string): ReturnType<typeof styleLinks> {
  return /@import/i.test(text) ? styleLinks(text, 'style') : [];
}

/** Is the script only for browsers without modules? */
function isPassedOver({ attributes }: HtmlElement): boolean {
  return attributes.has('nomodule') && attributes.get('type')?.trim().toLowerCase() !== 'module';
}
