/** Elements of the report. Data becomes text and never markup. */
import { isShownLink, shortAddress } from '../../src/model/report-data.ts';

type Child = Node | string | null;

export function element(name: string, className: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  for (const child of children) if (child !== null && child !== '') made.append(child);
  return made;
}

export function link(url: string, origins: readonly string[]): HTMLElement {
  const label = shortAddress(url, origins);
  if (!isShownLink(url)) return element('span', 'url', label);
  return outwards(url, label, 'url');
}

/** @param url of http or https */
export function outwards(url: string, label: string, className: string): HTMLElement {
  const made = document.createElement('a');
  made.className = className;
  made.href = url;
  made.rel = 'noopener noreferrer';
  made.referrerPolicy = 'no-referrer';
  made.target = '_blank';
  made.textContent = label;
  return made;
}

/** Thousands set apart: `12,345`. */
export function spelt(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(count: number, noun: string): string {
  return `${spelt(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The value of a form's control. */
export function valueIn(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : '';
}

/** The line below a list: the stretch that is shown, and buttons for the others. @param show makes the list and this line anew, in `place` */
export function pager(
  { from, size, all, place }: { from: number; size: number; all: number; place: HTMLElement },
  show: (from: number) => void,
): HTMLElement {
  const turn = (label: string, to: number, isPossible: boolean): HTMLElement => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.disabled = !isPossible;
    button.addEventListener('click', () => {
      show(to);
      focusTurn(place, label);
    });
    return button;
  };
  const last = Math.min(all, from + size);
  const words = all === 0 ? 'none' : `${spelt(from + 1)} to ${spelt(last)} of ${spelt(all)}`;
  return element(
    'div',
    'pager',
    turn('Back', Math.max(0, from - size), from > 0),
    element('span', '', words),
    turn('Next', from + size, last < all),
  );
}

/** The button that was pressed is gone with its line: the focus goes to its successor, or to the other one at an end of the list. */
function focusTurn(place: HTMLElement, label: string): void {
  const buttons = [...place.querySelectorAll<HTMLButtonElement>('.pager button')].filter(({ disabled }) => !disabled);
  (buttons.find(({ textContent }) => textContent === label) ?? buttons[0])?.focus({ preventScroll: true });
}
