/** Checks and cuts the answers of the interaction scripts: a hostile page may have made them. */
import { z } from 'zod';
import {
  ACT_ENDS,
  ACTION_KINDS,
  type ActResult,
  type ActionCandidate,
  type CandidateList,
  type FrameworkListeners,
  type PageState,
  type ScrollLook,
} from '../../model/page-actions.ts';
import { USED_EVENTS } from '../../model/used-events.ts';
import {
  CANDIDATES_READ,
  FIELDS_READ,
  FORMS_READ,
  KEY_HANDLERS,
  KEY_HANDLER_LENGTH,
  KEY_SCRIPT_LENGTH,
  LISTENING_NODES_READ,
  SELECTORS_READ,
} from '../limits/interaction-limits.ts';

const text = (limit: number): z.ZodType<string> => z.string().transform((value) => value.slice(0, limit));
const count = z.number().int().nonnegative().catch(0);
/** Keys go back into the page: letters and digits, as our own script makes them. */
const key = z.string().regex(/^[a-z0-9]{1,20}$/);

const stateShape = z.object({
  signature: key,
  url: text(8192),
  novel: count,
  navigations: count,
  inTransition: z.boolean(),
});

const candidateShape = z.object({
  key,
  template: key,
  words: text(200),
  marks: text(400),
  actions: z.array(z.enum(ACTION_KINDS)).transform((kinds) => [...new Set(kinds)]),
  options: count,
  keyTurns: count,
  visible: z.boolean(),
  listens: z.boolean(),
  guessed: z.boolean(),
  sends: z.boolean(),
});

const fieldShape = z.object({
  index: count,
  tag: z.enum(['input', 'select', 'textarea', 'editable']),
  type: text(30),
  name: text(100),
  autocomplete: text(100),
  label: text(200),
  pattern: text(200),
  min: text(40),
  max: text(40),
  step: text(40),
  minLength: count,
  maxLength: count,
  required: z.boolean(),
  filled: z.boolean(),
  checked: z.boolean(),
  options: z.array(text(200)).transform((options) => options.slice(0, 100)),
  visible: z.boolean(),
});

const formShape = z.object({
  key,
  template: key,
  method: text(10),
  action: text(8192),
  fields: z.array(fieldShape).transform((fields) => fields.slice(0, FIELDS_READ)),
  buttons: z.array(z.object({ words: text(200), marks: text(400) })).transform((buttons) => buttons.slice(0, 20)),
  words: text(400),
  marks: text(400),
  visible: z.boolean(),
});

const listShape = z.object({
  state: stateShape,
  candidates: z.array(z.unknown()),
  forms: z.array(formShape).transform((forms) => forms.slice(0, FORMS_READ)),
});

/** @param answer of the script `candidates`; a candidate of the wrong shape is left out */
export function parseCandidates(answer: unknown): CandidateList | null {
  const { data } = listShape.safeParse(answer);
  if (data === undefined) return null;
  const candidates = data.candidates
    .slice(0, CANDIDATES_READ)
    .map((candidate): ActionCandidate | null => candidateShape.safeParse(candidate).data ?? null)
    .filter((candidate) => candidate !== null);
  return { ...data, candidates };
}

/** @param answer of the script `page-state` */
export function parseState(answer: unknown): PageState | null {
  return stateShape.safeParse(answer).data ?? null;
}

const actShape = z.object({ end: z.enum(ACT_ENDS), x: z.number().catch(0), y: z.number().catch(0) });

/** @param answer of the scripts `act` and `fill` */
export function parseAct(answer: unknown): ActResult | null {
  return actShape.safeParse(answer).data ?? null;
}

/** An unknown name is left out: the page may have made it up, and has listeners all the same. */
const events = z.array(z.unknown()).transform((names) => names.filter(isUsed).slice(0, 20));
const isUsed = (name: unknown): name is string => typeof name === 'string' && USED_EVENTS.has(name);
const sources = z.array(text(KEY_HANDLER_LENGTH)).transform((all) => all.slice(0, KEY_HANDLERS));
const listenersShape = z.object({
  nodes: z.array(z.tuple([count, events])).transform((nodes) => nodes.slice(0, LISTENING_NODES_READ)),
  delegated: z.array(z.tuple([events, text(300)])).transform((delegated) => delegated.slice(0, SELECTORS_READ)),
  keyed: sources,
});

export const NO_LISTENERS: FrameworkListeners = { nodes: [], delegated: [], keyed: [] };

/** @param answer of the script `framework-listeners`; none where it has the wrong shape, as the page may forge it */
export function parseListeners(answer: unknown): FrameworkListeners {
  return listenersShape.safeParse(answer).data ?? NO_LISTENERS;
}

/** @param answer sources of handlers, as the page's own world has them */
export function parseSources(answer: unknown): readonly string[] | null {
  return sources.safeParse(answer).data ?? null;
}

const textsShape = z.array(text(KEY_SCRIPT_LENGTH)).transform((texts) => texts.slice(0, 100));

/** @param answer of the script `key-texts` */
export function parseTexts(answer: unknown): readonly string[] | null {
  return textsShape.safeParse(answer).data ?? null;
}

const scrollShape = z.object({
  height: z.number().nonnegative().catch(0),
  links: count,
  nodes: count,
  scrollable: z.boolean(),
  recycled: z.boolean(),
  moved: z.boolean(),
});

/** @param answer of the script `scroll` */
export function parseScroll(answer: unknown): ScrollLook | null {
  return scrollShape.safeParse(answer).data ?? null;
}
