/**
 * Runs in the page's own world, as only this world shows the data that frameworks keep on their nodes. It reads, and changes
 * nothing. Its result is not trusted: numbers and names of events, which the renderer checks.
 */
import type { FrameworkListeners } from '../../src/model/page-actions.ts';
import { USED_EVENTS } from '../../src/model/used-events.ts';
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';

const NODES = 3000;
const SELECTORS = 200;
/** Fields of one value that are examined. */
const FIELDS = 100;
/** `onClick`, `onClickCapture`, `onclick`: React, Preact, Vue's properties. */
const HANDLER = /^on:?([A-Za-z]+?)(?:Capture|Passive|Once)*$/;
/** Solid's `$$click`, the `__click` of earlier Sveltes. */
const DELEGATED = /^(?:\$\$|__)([a-z]+)$/;

/** Names of the properties in which frameworks keep data of a node; of other names only symbols are read. Inferno has `$EV`. */
const KEPT = /^(?:\$\$|__|_vei$|\$_vei$|\$EV$|_listeners$|l$|jQuery\d)/;
/** Handlers of key events whose sources are reported, and characters of each. */
const KEYED = 20;
const SOURCE = 5000;

type Fields = Readonly<Record<string, unknown>>;

export function frameworkListeners(): FrameworkListeners {
  const nodes: [number, string[]][] = [];
  sources = [];
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
  return { nodes, delegated: delegated.slice(0, SELECTORS), keyed: sources };
}

/** Handler sources of the current run. */
let sources: string[] = [];

function keepSource(event: string, handler: unknown): void {
  if (!event.startsWith('key') || sources.length >= KEYED) return;
  // Vue's handler calls a replaceable function, its `value`; Solid's is a list with data
  const value = typeof handler === 'function' ? valueOf(handler, 'value') : undefined;
  const all = [handler, value].flatMap((one: unknown): unknown[] => (Array.isArray(one) ? one : [one]));
  for (const one of all) {
    const source = typeof one === 'function' ? Function.prototype.toString.call(one).slice(0, SOURCE) : '';
    if (source !== '' && !sources.includes(source)) sources.push(source);
  }
}

function eventsOf(element: Element): Set<string> {
  const events = new Set<string>();
  for (const name of Object.getOwnPropertyNames(element)) {
    if (KEPT.test(name)) readKept(name, valueOf(element, name), events);
  }
  for (const symbol of Object.getOwnPropertySymbols(element)) {
    const value = valueOf(element, symbol);
    // under any symbol: Vue keeps handlers by property, Svelte keeps delegated ones by event
    handlersIn(value, events);
    namedHandlersIn(value, events);
  }
  return events;
}

/** Reads data properties only: no getter may run. */
function valueOf(element: object, key: string | symbol): unknown {
  return Object.getOwnPropertyDescriptor(element, key)?.value;
}

function readKept(name: string, value: unknown, events: Set<string>): void {
  if (DELEGATED.test(name) && isHandler(value)) {
    addEvent(events, DELEGATED.exec(name)?.[1], value);
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
    if (USED_EVENTS.has(name) && isHandler(handler)) addEvent(events, name, handler);
  }
}

function handlersIn(value: unknown, events: Set<string>): void {
  for (const [name, handler] of Object.entries(fieldsOf(value)).slice(0, FIELDS)) {
    if (handler !== null && handler !== undefined && handler !== false)
      addEvent(events, HANDLER.exec(name)?.[1], handler);
  }
}

function addEvent(events: Set<string>, name: string | undefined, handler: unknown = null): void {
  const lower = name?.toLowerCase();
  const event = lower === 'doubleclick' ? 'dblclick' : lower;
  // others are events of the page's own (`cart:updated`), which no action causes
  if (event === undefined || !USED_EVENTS.has(event)) return;
  events.add(event);
  keepSource(event, handler);
}

function jqueryDelegates(root: object): [string[], string][] {
  const found: [string[], string][] = [];
  // names first: reading every property of a window starts services, for which the browser ends the page's process
  for (const name of Object.keys(root).filter((key) => /^jQuery\d+/.test(key))) {
    const value: unknown = Reflect.get(root, name);
    for (const [type, handlers] of Object.entries(fieldsOf(fieldsOf(value)['events']))) {
      if (!USED_EVENTS.has(type)) continue;
      for (const entry of Array.isArray(handlers) ? handlers.slice(0, SELECTORS) : []) {
        const { selector, handler } = fieldsOf(entry);
        keepSource(type, handler);
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
