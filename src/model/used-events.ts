/** Events that a person can cause, by the action on an element that causes them. All searches for listeners use this table. */
import type { ActionKind } from './page-actions.ts';

type ListenedAction = Exclude<ActionKind, 'select' | 'open'>;

const EVENTS: Readonly<Record<ListenedAction, string>> = {
  click: 'click mousedown mouseup pointerdown pointerup touchstart touchend change toggle',
  hover: 'mouseover mouseenter pointerover pointerenter mousemove pointermove',
  leave: 'mouseout mouseleave pointerout pointerleave',
  focus: 'focus focusin',
  blur: 'blur focusout',
  key: 'keydown keyup keypress',
  press: 'contextmenu auxclick pointerdown mousedown touchstart',
  double: 'dblclick',
  wheel: 'wheel mousewheel',
  drag: 'dragstart drag dragend dragenter dragover dragleave drop',
  enter: 'input change search',
};

const SETS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(EVENTS).map(([action, events]) => [action, new Set(events.split(' '))]),
);

/** All events of the table. */
export const USED_EVENTS: ReadonlySet<string> = new Set(Object.values(EVENTS).flatMap((events) => events.split(' ')));

/** Would the action cause any of the events? */
export function isHeardBy(action: ListenedAction, events: ReadonlySet<string>): boolean {
  const caused = SETS[action];
  for (const event of events) if (caused?.has(event) === true) return true;
  return false;
}
