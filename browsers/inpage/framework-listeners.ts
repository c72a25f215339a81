/**
 * Runs in the page's own world, for what frameworks keep on their nodes is to be seen there only. It reads and changes
 * nothing; what it says is taken for a rumour: numbers and names of events, which the renderer checks.
 */
import type { FrameworkListeners } from '../../src/model/page-actions.ts';
import { composedElements, EXPLORED_ELEMENTS } from './composed-tree.ts';

const NODES = 3000;
const SELECTORS = 200;
/** `onClick`, `onClickCapture`, `onclick`: React, Preact, Vue's properties. */
const HANDLER = /^on:?([A-Za-z]+?)(?:Capture|Passive|Once)*$/;
/** Solid's `$$click`, Svelte's `__click`. */
const DELEGATED = /^(?:\$\$|__)([a-z]+)$/;

/** Names under which frameworks keep what they know of a node; nothing else is read. */
const KEPT = /^(?:\$\$|__|_vei$|\$_vei$|_listeners$|l$|jQuery\d)/;

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
  for (const key of [...Object.getOwnPropertyNames(element), ...symbolsOf(element)]) {
    const name = typeof key === 'string' ? key : key.name;
    if (!KEPT.test(name)) continue;
    const value: unknown = Reflect.get(element, typeof key === 'string' ? key : key.symbol);
    if (value === null || value === undefined) continue;
    if (DELEGATED.test(name) && (typeof value === 'function' || Array.isArray(value))) {
      addEvent(events, DELEGATED.exec(name)?.[1]);
    } else if (/^__reactProps\$|^__reactEventHandlers\$|^__k_props$/.test(name)) {
      handlersIn(value, events);
    } else if (/^(?:_vei|\$_vei)$/.test(name)) {
      handlersIn(value, events);
    } else if (/^jQuery\d+/.test(name)) {
      for (const type of Object.keys(fieldsOf(fieldsOf(value)['events']))) addEvent(events, type);
    } else if (name === '__vnode' || name === '__vueParentComponent') {
      handlersIn(fieldsOf(value)['props'], events);
    } else if (name === 'l' || name === '_listeners') {
      // Preact keeps its handlers by event name and phase: `clickfalse`
      for (const type of Object.keys(fieldsOf(value))) addEvent(events, type.replace(/(?:false|true)$/, ''));
    } else if (name === '__ngContext__' || name === '__zone_symbol__clickfalse') {
      if (name !== '__ngContext__') addEvent(events, 'click');
    }
  }
  return events;
}

function symbolsOf(element: Element): { name: string; symbol: symbol }[] {
  return Object.getOwnPropertySymbols(element).map((symbol) => ({ name: symbol.description ?? '', symbol }));
}

function handlersIn(value: unknown, events: Set<string>): void {
  for (const [name, handler] of Object.entries(fieldsOf(value))) {
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
