/** Writes into a field that stands alone, as a person does to filter a list or to move a slider. */
import { attribute, localNameOf, select } from './safe-dom.ts';

const dispatch = EventTarget.prototype.dispatchEvent;
const focusOn = HTMLElement.prototype.focus;
/** Values for the kinds of fields that take no free text. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-06-15'],
  'datetime-local': ['2024-06-15T12:00'],
  month: ['2024-06'],
  week: ['2024-W24'],
  time: ['12:00'],
  color: ['#336699'],
  email: ['orbweaver@example.com'],
  tel: ['+15555550100'],
  url: ['https://example.com/'],
};
/** A letter that most words of most languages in Latin letters have. */
const FREE = ['a'];
const LISTED = 30;

/** Values to write into a field, one after the other. */
export function entriesOf(field: Element): readonly string[] {
  const type = localNameOf(field) === 'input' ? (attribute(field, 'type') ?? 'text').toLowerCase() : 'text';
  if (type === 'password') return [];
  if (type === 'range' || type === 'number') return numbersOf(field, type);
  const listed = listedIn(field);
  return listed.length > 0 ? listed : (BY_TYPE[type] ?? FREE);
}

function numbersOf(field: Element, type: string): readonly string[] {
  const [min, max] = ['min', 'max'].map((name) => attribute(field, name));
  const ends = [max ?? (type === 'range' ? '100' : '2'), min ?? (type === 'range' ? '0' : '1')];
  return [...new Set(ends)].filter((value) => Number.isFinite(Number(value)));
}

function listedIn(field: Element): readonly string[] {
  const list = attribute(field, 'list');
  if (list === null || list === '') return [];
  return [...select(document, `datalist[id="${CSS.escape(list)}"] option`)]
    .slice(0, LISTED)
    .map((option) => attribute(option, 'value') ?? '')
    .filter((value) => value !== '');
}

/** @returns whether there is such an entry */
export function enterInto(field: Element, turn: number): boolean {
  const value = entriesOf(field)[turn];
  if (value === undefined) return false;
  if (field instanceof HTMLElement) focusOn.call(field, { preventScroll: true });
  for (const kind of [HTMLInputElement, HTMLTextAreaElement]) {
    if (!(field instanceof kind)) continue;
    // the prototype's setter: a framework's setter on the element itself would see no change
    const set = Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set;
    if (set !== undefined) Reflect.apply(set, field, [value]);
  }
  const letter = { key: value.slice(-1), bubbles: true, cancelable: true, composed: true, view: window };
  dispatch.call(field, new KeyboardEvent('keydown', letter));
  const init = { bubbles: true, composed: true, data: value, inputType: 'insertText' };
  dispatch.call(field, new InputEvent('input', init));
  dispatch.call(field, new KeyboardEvent('keyup', letter));
  dispatch.call(field, new Event('change', { bubbles: true }));
  if (attribute(field, 'type') === 'search') dispatch.call(field, new Event('search', { bubbles: true }));
  return true;
}
