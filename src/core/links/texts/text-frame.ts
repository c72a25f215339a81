/** The brackets around a text of a script, and the use of the text that they show. */
import type { ScriptScope } from '../scripts/script-constants.ts';
import type { TextChain } from './text-chain.ts';
import { isLeading } from './text-use.ts';

/** The use of a text. */
export interface TextUse {
  /** The variable or function that it is given to, with the names before it: `window.location.href`, `router.push`; '' where unknown. */
  readonly target: string;
  readonly how: 'assigned' | 'given' | null;
  /** Number of the argument, from 0. */
  readonly argument: number;
  /** The text that is the first argument, where this is a later one. */
  readonly first: string;
  /** Its key in a record: `path`, `url`. */
  readonly key: string;
  /** The key of the record that holds the result of the call that it is given to. */
  readonly holder: string;
}

/** The place of a text: the facts from which {@link useAt} finds its use, which is never asked for most texts. */
export interface Place {
  readonly before: string;
  readonly word: string;
  /** The name that it is assigned to; '' where it is not. */
  readonly assigned: string;
  readonly frame: Frame | null;
  readonly argument: number;
  readonly key: string;
}

export interface Frame {
  readonly kind: string;
  readonly above: Frame | null;
  /** The chain that goes on when the bracket is closed. */
  readonly outer: TextChain;
  /** The function that is called, or the word before the bracket; '' where there is none. */
  readonly callee: string;
  readonly isCall: boolean;
  /** Is it a template, or a call of `concat`? Its pieces make one text. */
  readonly joins: boolean;
  /** Names that may be parameters; null where they cannot be. */
  readonly names: string[] | null;
  /** Names in it are declared by destructuring. */
  readonly takesApart: boolean;
  /** The name before its keys, where it is the value of a constant. */
  readonly path: string | null;
  readonly base: ScriptScope;
  scope: ScriptScope;
  argument: number;
  first: string;
  key: string;
  /** Path of the route that the record declares, with those around it; '' where it declares none. */
  route: string;
  /** The list of routes that shows whether that path begins at the root; null where it is known to. */
  list: Frame | null;
  /** The module of webpack that the bracket is in: `{576:(e,t,n)=>{…}}`; '' where there is none. */
  readonly module: string;
  /** Do records of the list say what is shown for their paths? */
  showsPages: boolean;
  declares: boolean;
  /** Does the function lead to its argument? Null until it was asked for. */
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
    route: '',
    list: null,
    module: given.module ?? '',
    showsPages: false,
    declares: false,
    leads: null,
  };
}

/** The use of the text in that place. */
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

/** Most unclosed brackets that a closing one may end. */
const MISMATCH = 4;

/** Number of open brackets within the last one of a kind; null where that is not open, or too far away. */
export function openWithin(frames: readonly Frame[], kind: string): number | null {
  const near = frames.slice(-MISMATCH).map((frame) => frame.kind);
  const at = near.lastIndexOf(kind);
  return at < 0 ? null : near.length - 1 - at;
}

/** May the text there be gone to or requested, as far as its frame shows? */
export function isOfPurpose({ assigned, word, frame }: Place): boolean {
  if (assigned !== '') return word === 'location' || word === 'href';
  const call = frame?.kind === '{' ? frame.above : frame;
  if (call === null || call.kind !== '(' || !call.isCall) return false;
  return (call.leads ??= isLeading(call.callee));
}
