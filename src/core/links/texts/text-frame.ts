/** The brackets that a text of a script stands in, and what they say of it. */
import type { ScriptScope } from '../scripts/script-constants.ts';
import type { TextChain } from './text-chain.ts';
import { isLeading } from './text-use.ts';

/** What is done with a text. */
export interface TextUse {
  /** What it is assigned to or given to, with the names before it: `window.location.href`, `router.push`; '' where nobody knows. */
  readonly target: string;
  readonly how: 'assigned' | 'given' | null;
  /** Which argument it is, from 0. */
  readonly argument: number;
  /** The text that is the first argument, where this is a later one. */
  readonly first: string;
  /** Its key in a record: `path`, `url`. */
  readonly key: string;
  /** The key of the record that holds what comes of the call which it is given to. */
  readonly holder: string;
}

/** Where a text stands: what {@link useAt} needs to say what is done with it, for most are never asked. */
export interface Place {
  readonly before: string;
  readonly word: string;
  /** What it is assigned to; '' where it is not. */
  readonly assigned: string;
  readonly frame: Frame | null;
  readonly argument: number;
  readonly key: string;
}

export interface Frame {
  readonly kind: string;
  readonly above: Frame | null;
  /** Of the chain that goes on when the bracket is closed. */
  readonly outer: TextChain;
  /** What is called or asked; '' where nothing is. */
  readonly callee: string;
  readonly isCall: boolean;
  /** The pieces so far, where it is a template or a call of `concat`. */
  readonly joins: boolean;
  /** Names that may be parameters; null where they cannot be. */
  readonly names: string[] | null;
  /** Names in it are parts of what is declared. */
  readonly takesApart: boolean;
  /** What its keys are to be called, where it is the value of a constant. */
  readonly path: string | null;
  readonly base: ScriptScope;
  scope: ScriptScope;
  argument: number;
  first: string;
  key: string;
  declares: boolean;
  /** Does what is called lead to what is given to it? Null until it was asked for. */
  leads: boolean | null;
}

export const UNKNOWN_PLACE: Place = { before: '', word: '', assigned: '', frame: null, argument: 0, key: '' };

export function frameOf(given: Partial<Frame> & Pick<Frame, 'kind' | 'outer' | 'scope'>): Frame {
  const { kind, outer, scope } = given;
  return {
    kind,
    outer,
    scope,
    base: scope,
    above: given.above ?? null,
    callee: given.callee ?? '',
    isCall: given.isCall ?? false,
    joins: given.joins ?? false,
    names: given.names ?? null,
    takesApart: given.takesApart ?? false,
    path: given.path ?? null,
    argument: 0,
    first: '',
    key: '',
    declares: false,
    leads: null,
  };
}

/** What is done with the text that stands there. */
export function useAt({ assigned, frame, argument, key }: Place): TextUse {
  if (assigned !== '' || frame === null)
    return { target: assigned, how: assigned === '' ? null : 'assigned', argument: 0, first: '', key: '', holder: '' };
  const { kind, callee: target, first, above } = frame;
  const holder = above?.kind === '{' ? above.key : '';
  if (kind === '(' && frame.isCall) return { target, how: 'given', argument, first, key: '', holder };
  if (kind !== '{' || above?.kind !== '(' || !above.isCall)
    return { target: '', how: null, argument: 0, first: '', key, holder: '' };
  return { target: above.callee, how: 'given', argument: above.argument, first: above.first, key, holder: '' };
}

/** Brackets left open that one which is closed may end. */
const MISMATCH = 4;

/** How many brackets stand open within the last one of a kind; null where that is not open, or too far away. */
export function openWithin(frames: readonly Frame[], kind: string): number | null {
  const near = frames.slice(-MISMATCH).map((frame) => frame.kind);
  const at = near.lastIndexOf(kind);
  return at < 0 ? null : near.length - 1 - at;
}

/** May what stands there be gone to or asked for, as far as its frame shows? */
export function isOfPurpose({ assigned, word, frame }: Place): boolean {
  if (assigned !== '') return word === 'location' || word === 'href';
  const call = frame?.kind === '{' ? frame.above : frame;
  if (call === null || call.kind !== '(' || !call.isCall) return false;
  return (call.leads ??= isLeading(call.callee));
}
