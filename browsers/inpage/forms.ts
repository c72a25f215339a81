/** Facts of the page's forms, and of fields outside of forms, from which values for the fields can be guessed. */
import type { FieldFacts, FormFacts } from '../../src/model/page-actions.ts';
import { isVisible, registerKey } from './candidates.ts';
import { choicesOf } from './choices.ts';
import { composedElements, composedParent, EXPLORED_ELEMENTS } from './composed-tree.ts';
import { answersConsent, isInConsentDialog } from './consent/answer.ts';
import { hiddenMethodOf, labelWordsOf, marksOf } from './labels.ts';
import { attribute, folded, localNameOf, select, textContentOf } from './safe-dom.ts';

const FORMS = 50;
const FIELDS = 100;
const UNFILLED = new Set(['hidden', 'submit', 'button', 'reset', 'image', 'file']);

/** Finds the roots of fields: each form; for a field outside of forms, the element that also holds a button. */
export function findForms(): FormFacts[] {
  const roots = new Set<Element>();
  for (const element of composedElements(EXPLORED_ELEMENTS)) {
    const name = localNameOf(element);
    if (name === 'form') roots.add(element);
    else if (isField(element) && !isInForm(element)) roots.add(holderOf(element));
  }
  return [...roots]
    .filter((root) => !isConsentForm(root))
    .slice(0, FORMS)
    .map(factsOf);
}

function isField(element: Element): boolean {
  const name = localNameOf(element);
  if (name === 'textarea' || name === 'select') return true;
  if (name === 'input') return !UNFILLED.has((attribute(element, 'type') ?? 'text').toLowerCase());
  const editable = attribute(element, 'contenteditable');
  return editable !== null && editable !== 'false';
}

function isInForm(element: Element): boolean {
  if (attribute(element, 'form') !== null) return true;
  for (let at: Element | null = element; at !== null; at = composedParent(at))
    if (localNameOf(at) === 'form') return true;
  return false;
}

/** The nearest ancestor that holds a button too, but not the whole page. */
function holderOf(field: Element): Element {
  let at = composedParent(field);
  for (let depth = 0; at !== null && depth < 4; depth++, at = composedParent(at)) {
    const name = localNameOf(at);
    if (name === 'body' || name === 'html') break;
    if (allButtonsOf(at).length > 0) return at;
  }
  return field;
}

export function fieldsOf(root: Element): Element[] {
  const inside = [...select(root, 'input,select,textarea,[contenteditable]')];
  return [...(isField(root) ? [root] : []), ...inside].filter(isField).slice(0, FIELDS);
}

/** Buttons that may send a form or lead to its next step, and answer no consent dialog. */
export function buttonsOf(root: Element): Element[] {
  return allButtonsOf(root).filter((button) => !answersConsent(button, labelWordsOf(button)));
}

function allButtonsOf(root: Element): Element[] {
  return [...select(root, 'button,input[type=submit],input[type=button],input[type=image],[role=button]')]
    .filter((button) => (attribute(button, 'type') ?? '').toLowerCase() !== 'reset')
    .slice(0, 20);
}

/** A form of the page may hold a dialog, too; the form of a dialog holds its answers. */
function isConsentForm(root: Element): boolean {
  const others = buttonsOf(root).length;
  return others < allButtonsOf(root).length && (others === 0 || isInConsentDialog(root));
}

function factsOf(root: Element): FormFacts {
  const fields = fieldsOf(root).map(fieldOf);
  const isForm = localNameOf(root) === 'form';
  return {
    ...registerKey(root, fields.map(({ name, type }) => `${name}:${type}`).join(' ')),
    method: isForm ? (attribute(root, 'method') ?? 'get').toLowerCase().slice(0, 10) : '',
    action: isForm ? (attribute(root, 'action') ?? '').slice(0, 8192) : '',
    fields,
    buttons: buttonsOf(root).map((button) => ({ words: labelWordsOf(button), marks: marksOf(button) })),
    words: folded(attribute(root, 'aria-label') ?? '', 200),
    // the method first: long marks are cut
    marks: `${hiddenMethodOf(root)} ${marksOf(root)}`.trim(),
    visible: isVisible(root),
  };
}

function textOf(element: Element, name: string, limit = 100): string {
  return (attribute(element, name) ?? '').slice(0, limit);
}

function numberOf(element: Element, name: string): number {
  const value = Number(attribute(element, name) ?? '0');
  return Number.isInteger(value) && value > 0 ? Math.min(value, 10_000) : 0;
}

function fieldOf(element: Element, index: number): FieldFacts {
  const local = localNameOf(element);
  const tag = local === 'input' || local === 'select' || local === 'textarea' ? local : 'editable';
  const options = tag === 'select' ? choicesOf(element).map(({ value }) => value.slice(0, 200)) : [];
  const value = valueOf(element);
  return {
    index,
    tag,
    type: tag === 'input' ? (attribute(element, 'type') ?? 'text').toLowerCase().slice(0, 30) : tag,
    name: textOf(element, 'name') || textOf(element, 'id'),
    autocomplete: textOf(element, 'autocomplete'),
    label: labelOf(element),
    pattern: textOf(element, 'pattern', 200),
    min: textOf(element, 'min', 40),
    max: textOf(element, 'max', 40),
    step: textOf(element, 'step', 40),
    minLength: numberOf(element, 'minlength'),
    maxLength: numberOf(element, 'maxlength'),
    required: attribute(element, 'required') !== null || attribute(element, 'aria-required') === 'true',
    // the invitation to choose is no choice
    filled: tag === 'select' ? options.includes(value.slice(0, 200)) : value !== '',
    checked: element instanceof HTMLInputElement && checkedOf(element),
    options: options.slice(0, 100),
    visible: isVisible(element),
  };
}

const checkedOf = (input: HTMLInputElement): boolean => {
  const read = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked')?.get;
  return read !== undefined && Reflect.apply(read, input, []) === true;
};

function valueOf(element: Element): string {
  for (const kind of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement]) {
    if (!(element instanceof kind)) continue;
    const read = Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.get;
    return read === undefined ? '' : String(Reflect.apply(read, element, []));
  }
  return (textContentOf(element) ?? '').trim();
}

function labelOf(element: Element): string {
  const words = ['aria-label', 'placeholder', 'title'].map((name) => attribute(element, name) ?? '');
  for (let at = composedParent(element), depth = 0; at !== null && depth < 3; at = composedParent(at), depth++)
    if (localNameOf(at) === 'label') words.push(textContentOf(at) ?? '');
  const id = attribute(element, 'id');
  const label = id === null || id === '' ? undefined : select(document, `label[for="${CSS.escape(id)}"]`)[0];
  if (label !== undefined) words.push(textContentOf(label) ?? '');
  return folded(words.join(' '), 200);
}
