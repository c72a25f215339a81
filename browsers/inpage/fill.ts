/** Fills a form as a person would, each field with its events, and sends it or leads on to its next step. */
import type { ActResult, FieldValue, FillInput } from '../../src/model/page-actions.ts';
import { act } from './act.ts';
import { registerKey } from './candidates.ts';
import { elementOf } from './control-keys.ts';
import { buttonsOf, fieldsOf } from './forms.ts';
import { localNameOf, textContentOf } from './safe-dom.ts';

const dispatch = EventTarget.prototype.dispatchEvent;

export function fill({ key, values, button }: FillInput): ActResult {
  const root = elementOf(key);
  if (root === null) return { end: 'gone', x: 0, y: 0 };
  globalThis.orbweaverSends = true;
  const fields = fieldsOf(root);
  for (const value of values) {
    const field = fields[value.index];
    if (field !== undefined) write(field, value);
  }
  const pressed = button === null ? undefined : buttonsOf(root)[button];
  if (pressed !== undefined) {
    const { key: name } = registerKey(pressed, 'pressed');
    return act({ key: name, action: 'click', turn: 0, keys: [] });
  }
  const last = fields.at(-1);
  if (last !== undefined) enter(last);
  if (root instanceof HTMLFormElement) submit(root);
  return { end: 'done', x: 0, y: 0 };
}

function write(field: Element, { value, check }: FieldValue): void {
  if (field instanceof HTMLElement) HTMLElement.prototype.focus.call(field, { preventScroll: true });
  if (check) {
    HTMLElement.prototype.click.call(field);
    return;
  }
  for (const kind of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement]) {
    if (!(field instanceof kind)) continue;
    // the prototype's setter: a framework's setter on the element itself would see no change
    const set = Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set;
    if (set !== undefined) Reflect.apply(set, field, [value]);
  }
  if (!['input', 'select', 'textarea'].includes(localNameOf(field)) && textContentOf(field) === '')
    field.textContent = value;
  dispatch.call(
    field,
    new InputEvent('input', { bubbles: true, composed: true, data: value, inputType: 'insertText' }),
  );
  dispatch.call(field, new Event('change', { bubbles: true }));
  if (field instanceof HTMLElement) HTMLElement.prototype.blur.call(field);
}

function enter(field: Element): void {
  const init = { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, bubbles: true, cancelable: true, composed: true };
  if (field instanceof HTMLElement) HTMLElement.prototype.focus.call(field, { preventScroll: true });
  for (const type of ['keydown', 'keypress', 'keyup']) dispatch.call(field, new KeyboardEvent(type, init));
}

function submit(form: HTMLFormElement): void {
  try {
    HTMLFormElement.prototype.requestSubmit.call(form);
  } catch {
    HTMLFormElement.prototype.submit.call(form);
  }
}
