/** Signs in a document that the verdict on its page goes by. */
import { cutText } from '../base/cut-text.ts';
import { wordCount } from '../base/word-count.ts';
import { visibleText } from '../core/html/text.ts';
import { textOf, type HtmlElement, type HtmlTree } from '../core/html/tree.ts';
import type { DocumentSigns } from '../core/page-verdict/page-verdict.ts';

const TEXT = 20_000;
const PROGRAMS = 50_000;
const INLINE = 2000;
const MOUNT =
  /^(?:app|root|__next|__nuxt|application|react-root|main|mount|container|svelte|ember-basic-dropdown-wormhole)$/i;
const PLACEHOLDER =
  /(?:^|[\s_-])(?:skeleton|shimmer|placeholder-glow|placeholder-wave|spinner|preloader|loader)(?:[\s_-]|$)/i;
const NO_FIELD = /^(?:hidden|submit|button|reset|image|checkbox|radio|search)$/i;

interface SignSources {
  readonly title: string;
  readonly h1: readonly string[];
  /** As the crawl counted them, by the spaces between them; null where it did not. */
  readonly words: number | null;
}

/** @param elements of the document itself, those that are shown */
export function documentSigns(tree: HtmlTree, elements: readonly HtmlElement[], known: SignSources): DocumentSigns {
  const text = visibleText(tree.top, TEXT);
  const named = (...names: readonly string[]): number => elements.filter(({ name }) => names.includes(name)).length;
  const inputs = elements.filter(({ name }) => name === 'input');
  const typeOf = ({ attributes }: HtmlElement): string => (attributes.get('type') ?? 'text').trim();
  const passwords = inputs.filter((input) => typeOf(input).toLowerCase() === 'password');
  const second = elements.find(({ name }) => name === 'h2');
  return {
    title: known.title,
    headings:
      known.h1.length > 0 || second === undefined ? known.h1.slice(0, 3) : [cutText(textOf(second, 100).trim(), 200)],
    text,
    words: Math.max(
      known.words ?? 0,
      wordCount(text, (piece) => /[\p{L}\p{N}]/u.test(piece)),
    ),
    passwordFields: passwords.length,
    setsPasswords: passwords.length > 0 && countsByForm(passwords).every((count) => count > 1),
    fields: inputs.filter((input) => !NO_FIELD.test(typeOf(input))).length + named('textarea', 'select'),
    links: elements.filter(({ name, attributes }) => name === 'a' && attributes.has('href')).length,
    hasScripts: elements.some(isProgram),
    emptyMounts: elements.filter(isEmptyMount).length,
    placeholders: elements.filter(
      ({ attributes }) => attributes.get('aria-busy') === 'true' || PLACEHOLDER.test(attributes.get('class') ?? ''),
    ).length,
    canvases: named('canvas'),
    media: named('img') + 2 * named('video', 'audio', 'canvas', 'iframe', 'object', 'embed', 'frame'),
    programs: programsOf(elements),
    forwards: elements.some(isImmediateRefresh),
  };
}

/** How many of the fields stand in each form; those outside of a form count as one. */
function countsByForm(fields: readonly HtmlElement[]): number[] {
  const counts = new Map<HtmlElement | null, number>();
  for (const field of fields) {
    let form = field.parent;
    while (form !== null && form.name !== 'form') form = form.parent;
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts.values()];
}

function isProgram({ name, attributes }: HtmlElement): boolean {
  return name === 'script' && !/json|template|text\/(?:plain|html)|x-/i.test(attributes.get('type') ?? '');
}

/** `0; url=/en/`: too short for a reader to see the page. Without an address the page loads itself again. */
function isImmediateRefresh({ name, attributes }: HtmlElement): boolean {
  if (name !== 'meta' || attributes.get('http-equiv')?.trim().toLowerCase() !== 'refresh') return false;
  return /^\s*[01]?(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?[^\s"']/i.test(
    attributes.get('content')?.slice(0, 300) ?? '',
  );
}

function isEmptyMount({ name, attributes, children }: HtmlElement): boolean {
  if (!(name === 'div' || name === 'main' || name === 'section' || name.includes('-'))) return false;
  if (!name.includes('-') && !MOUNT.test(attributes.get('id') ?? '')) return false;
  return children.every((node) => node.kind === 'comment' || (node.kind === 'text' && !/\S/.test(node.data)));
}

function programsOf(elements: readonly HtmlElement[]): string {
  let text = '';
  for (const element of elements) {
    if (text.length > PROGRAMS) break;
    const { name, attributes } = element;
    if (name !== 'script' && name !== 'iframe') continue;
    text += `${cutText(attributes.get('src') ?? '', INLINE)}\n`;
    if (name === 'script') text += `${cutText(textOf(element), INLINE)}\n`;
  }
  return text;
}
