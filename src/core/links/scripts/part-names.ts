/**
 * Parts of an application that its routes load: `{ path: 'account', loadChildren: () => import('./chunk-A.js') }` (Angular). A part is a
 * script, or a module in any script of the folder (webpack: `e.e(25).then(e.bind(e,576))`).
 */
import type { Frame } from '../texts/text-frame.ts';

/** The key of a route that loads a part. */
export const PART_KEY = 'loadChildren';
/** Characters of the function that loads it. */
export const PART_LENGTH = 400;
const LOADING =
  /^(?:[a-z]{5}\b\s*)?(?:\(\)\s*=>\s*(?:\{\s*return\b)?|function\s*\(\)\s*\{\s*return\b)[^{};]{0,200}?(?:\bimport\(\s*["'`]([^"'`\s]{1,200})["'`]\s*\)|\.bind\(\s*[\w$.]{1,20}\s*,\s*(\d{1,9})\s*[,)])/;

/** Name of the part in the function with which the source begins; null where it names none. */
export function partIn(source: string): string | null {
  const [, script, module] = LOADING.exec(source) ?? [];
  return script ?? module ?? null;
}

/** The module of webpack that a bracket in this one is in: that under the key of a record, or the one that this bracket is in. */
export function moduleIn({ key, module }: Frame): string {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && /^\d{1,9}$/.test(key) ? key : module;
}
