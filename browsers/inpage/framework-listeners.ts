/**
 * Runs in the page's own world, for what frameworks keep on their nodes is to be seen there only. It reads and changes
 * nothing; what it says is taken for a rumour: numbers and names of events, which the renderer checks.
 */
import type { FrameworkListeners } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';

const NODES = 3000;
const SELECTORS = 200;
/** Fields of one value that are looked at. */
const FIELDS = 100;
/** `onClick`, `onClickCapture`, `onclick`: React, Preact, Vue's properties. */
const HANDLER = /^on:?([A-Za-z]+?)(?:Capture|Passive|Once)*$/;
/** Solid's `$$click`, the `__click` of earlier Sveltes. */
const DELEGATED = /^(?:\$\$|__)([a-z]+)$/;

/** Names under which frameworks keep what they know of a node; nothing else is read. Inferno has `$EV`. */
const KEPT = /^(?:\$\$|__|_vei$|\$_vei$|\$EV$|_listeners$|l$|jQuery\d)/;
/** Events for which handlers are delegated by their names alone. */
const USED =
  /^(?:click|dblclick|contextmenu|input|change|search|toggle|(?:mouse|pointer)(?:down|up|over|enter|move)|touch(?:start|end)|key(?:down|up|press)|focus(?:in)?)$/;

type Fields = Readonly<Record<string, unknown>>;

export function frameworkListeners(): FrameworkListeners {
  const nodes: [number, string[]][] = [];
  const delegated: [string[], string][] = [];
  const elements = composedElements(EXPLORED_ELEMENTS);
  for (let index = 0; index < elements.length && nodes.length < NODES; index++) {
    const element = elements[index];
    if (element === undefined) continue;
    const events = eventsOf(element);
    if (events.size > 0) nodes.push([index, [...events].slice(0, 20)]);
    if (delegated.length < SELECTORS) delegated.push(...jqueryDelegates(element));
  }
  for (const root of [document, globalThis]) delegated.push(...jqueryDelegates(root));
  return { nodes, delegated: delegated.slice(0, SELECTORS) };
}

function eventsOf(element: Element): Set<string> {
  const events = new Set<string>();
  for (const name of Object.getOwnPropertyNames(element)) {
    if (KEPT.test(name)) readKept(name, valueOf(element, name), events);
  }
  for (const symbol of Object.getOwnPropertySymbols(element)) {
    const value = valueOf(element, symbol);
    // whatever it is called: Vue keeps handlers by property, Svelte those it delegates by event
    handlersIn(value, events);
    namedHandlersIn(value, events);
  }
  return events;
}

/** Only what is there: to ask for it must not start anything. */
function valueOf(element: object, key: string | symbol): unknown {
  return Object.getOwnPropertyDescriptor(element, key)?.value;
}

function readKept(name: string, value: unknown, events: Set<string>): void {
  if (DELEGATED.test(name) && isHandler(value)) {
    addEvent(events, DELEGATED.exec(name)?.[1]);
  } else if (/^__reactProps\$|^__reactEventHandlers\$|^__k_props$|^(?:\$?_vei|\$EV)$/.test(name)) {
    handlersIn(value, events);
  } else if (/^jQuery\d+/.test(name)) {
    for (const type of Object.keys(fieldsOf(fieldsOf(value)['events']))) addEvent(events, type);
  } else if (name === '__vnode' || name === '__vueParentComponent') {
    handlersIn(fieldsOf(value)['props'], events);
  } else if (name === 'l' || name === '_listeners') {
    // Preact keeps its handlers by event name and phase: `clickfalse`
    for (const type of Object.keys(fieldsOf(value))) addEvent(events, type.replace(/(?:false|true)$/, ''));
  } else if (name === '__zone_symbol__clickfalse') {
    addEvent(events, 'click');
  }
}

function isHandler(value: unknown): boolean {
  return typeof value === 'function' || (Array.isArray(value) && typeof value[0] === 'function');
}

function namedHandlersIn(value: unknown, events: Set<string>): void {
  for (const [name, handler] of Object.entries(fieldsOf(value)).slice(0, FIELDS)) {
    if (USED.test(name) && isHandler(handler)) addEvent(events, name);
  }
}

function handlersIn(value: unknown, events: Set<string>): void {
  for (const [name, handler] of Object.entries(fieldsOf(value)).slice(0, FIELDS)) {
    if (handler !== null && handler !== undefined && handler !== false) addEvent(events, HANDLER.exec(name)?.[1]);
  }
}

function addEvent(events: Set<string>, name: string | undefined): void {
  const event = name?.toLowerCase();
  if (event !== undefined) events.add(event === 'doubleclick' ? 'dblclick' : event);
}

function jqueryDelegates(root: object): [string[], string][] {
  const found: [string[], string][] = [];
  // names first: to read all that a window has starts services, for which the browser ends the process of the page
  for (const name of Object.keys(root).filter((key) => /^jQuery\d+/.test(key))) {
    const value: unknown = Reflect.get(root, name);
    for (const [type, handlers] of Object.entries(fieldsOf(fieldsOf(value)['events']))) {
      for (const handler of Array.isArray(handlers) ? handlers.slice(0, SELECTORS) : []) {
        const { selector } = fieldsOf(handler);
        if (typeof selector === 'string' && selector !== '') found.push([[type], selector.slice(0, 300)]);
      }
    }
  }
  return found;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
