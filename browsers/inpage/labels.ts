/** Names of an element: its words, by which a person would call it, and its marks in the markup, by which a developer would. */
import { attribute, attributeNamesOf, folded, localNameOf, select, textContentOf } from './safe-dom.ts';

const WORDS = 100;
/** Attributes whose values say what an element is for. Modifiers may follow a handler: `@click.prevent`. */
const MARKS =
  /^(?:id|class|name|value|href|xlink:href|formaction|data-(?!v-)[\w-]+|hx-[\w-]+|phx-(?:click|submit|value-[\w-]+)|onclick|ng-click|jsaction|(?:@|v-on:|x-on:|on:|wire:)click(?:\.[\w.-]+)?)$/;
/** Attributes whose names say it, too: `data-method`, `hx-delete`. */
const NAMED = /^(?:data|hx)-/;
/** Icons by their usual markup, how many of an element are read, and how much of each and of all. */
const ICONS = 'i,svg,span,use';
const ICONS_READ = 3;
const ICON_MARKS = 100;
const ALL_ICON_MARKS = 200;
/** Elements with a purpose of their own: their icons are not those of the element around them. */
const CONTROLS = 'a,button,input,select,textarea,[role=button],[onclick]';

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

/** Id, classes, name, handlers, data attributes and addresses; before them those of its icon, if it has no words. At most 400 characters. */
export function marksOf(element: Element): string {
  return folded(`${iconMarksOf(element)} ${ownMarksOf(element)}`, 400);
}

function ownMarksOf(element: Element): string {
  const marks: string[] = [];
  for (const name of attributeNamesOf(element).slice(0, 50)) {
    if (!MARKS.test(name)) continue;
    marks.push(
      NAMED.test(name)
        ? `${name} ${attribute(element, name)?.slice(0, 60)}`
        : (attribute(element, name) ?? '').slice(0, 100),
    );
  }
  return marks.join(' ');
}

/** `fa-trash`, `lucide-log-out`, `#icon-delete`: all that tells the purpose of a button without words. */
function iconMarksOf(element: Element): string {
  if (/\p{L}/u.test(textContentOf(element) ?? '') || select(element, CONTROLS).length > 0) return '';
  return Array.from(select(element, ICONS))
    .slice(0, ICONS_READ)
    .map((icon) => ownMarksOf(icon).slice(0, ICON_MARKS))
    .join(' ')
    .slice(0, ALL_ICON_MARKS);
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
