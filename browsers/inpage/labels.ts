/** Names of an element: its words, by which a person would call it, and its marks in the markup, by which a developer would. */
import { attribute, attributeNamesOf, folded, localNameOf, select, textContentOf } from './safe-dom.ts';

const WORDS = 100;
/** Attributes whose values say what an element is for. */
const MARKS =
  /^(?:id|class|name|value|href|formaction|data-(?!v-)[\w-]+|hx-[\w-]+|@click|x-on:click|onclick|ng-click|wire:click|jsaction)$/;

/** Label, text, title and value, in this order; at most 200 characters. */
export function labelWordsOf(element: Element): string {
  const label = attribute(element, 'aria-label') ?? '';
  const text = folded(textContentOf(element) ?? '', WORDS + 1);
  const picture = text === '' ? select(element, 'img[alt],svg[aria-label]')[0] : undefined;
  const shown = picture === undefined ? text : (attribute(picture, 'alt') ?? attribute(picture, 'aria-label') ?? '');
  const title = [attribute(element, 'title'), attribute(element, 'alt')].filter((name) => name !== null).join(' ');
  const value = localNameOf(element) === 'input' ? (attribute(element, 'value') ?? '') : '';
  // an element with a long text is a part of the page, not a button: its text is not its name
  return folded(
    [label, shown.length > WORDS ? '' : shown, title, value].filter((word) => word !== '').join(' '),
    WORDS * 2,
  );
}

/** Id, classes, name, data attributes and addresses; at most 400 characters. */
export function marksOf(element: Element): string {
  const marks: string[] = [];
  for (const name of attributeNamesOf(element).slice(0, 50)) {
    if (!MARKS.test(name)) continue;
    marks.push(
      name.startsWith('data-')
        ? `${name} ${attribute(element, name)?.slice(0, 60)}`
        : (attribute(element, name) ?? '').slice(0, 100),
    );
  }
  return folded(marks.join(' '), 400);
}

const hiddenMethods = new WeakMap<Element, string>();

/** The method of a form that many servers read from a hidden field, as forms know but two: `delete`. A form may have many buttons. */
export function hiddenMethodOf(form: Element): string {
  let method = hiddenMethods.get(form);
  if (method === undefined) {
    const [field] = select(form, 'input[type=hidden][name=_method]');
    method = field === undefined ? '' : (attribute(field, 'value') ?? '').slice(0, 10);
    hiddenMethods.set(form, method);
  }
  return method;
}
