/** The place of an element, for people: a short selector, and its opening tag. */
import { cutText } from '../base/cut-text.ts';
import type { HtmlElement } from '../core/html/tree.ts';
import type { ElementPlace } from '../model/audit-facts.ts';

/** Steps of a selector, from the element up. */
const STEPS = 4;
const VALUE = 120;
const SNIPPET = 300;
const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** A place by the nearest id, else by the last few steps of the way; enough to find the element, though not proven to be unique. */
export function placeOf(element: HtmlElement): ElementPlace {
  return { selector: selectorOf(element), snippet: openingTag(element) };
}

export function selectorOf(element: HtmlElement): string {
  const steps: string[] = [];
  for (let at: HtmlElement | null = element; at !== null && steps.length < STEPS; at = at.parent) {
    const id = at.attributes.get('id') ?? '';
    if (NAME.test(id)) {
      steps.unshift(`#${id}`);
      break;
    }
    if (at.name === 'body' || at.name === 'html') {
      if (steps.length === 0) steps.unshift(at.name);
      break;
    }
    steps.unshift(at.name + nthOf(at));
  }
  // browsers put a tbody between the two where the markup has none
  return steps.join(' > ').replaceAll(/(table\S*) > (tr\b)/g, '$1 $2');
}

/** Siblings that are counted: a place among thousands helps no reader. */
const SIBLINGS = 200;

function nthOf(element: HtmlElement): string {
  const { name, parent } = element;
  if (parent === null) return '';
  const same = parent.children.slice(0, SIBLINGS).filter((node) => node.kind === 'element' && node.name === name);
  const index = same.indexOf(element);
  return same.length < 2 || index === -1 ? '' : `:nth-of-type(${index + 1})`;
}

function openingTag({ name, attributes }: HtmlElement): string {
  let text = `<${name}`;
  for (const [key, value] of attributes) {
    if (text.length > SNIPPET) break;
    text += value === '' ? ` ${key}` : ` ${key}="${cutText(value, VALUE)}"`;
  }
  return `${cutText(text, SNIPPET)}>`;
}
