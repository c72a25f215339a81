/**
 * Scripts that read nearly every page reside in our world of every document from its start: a call of some bytes replaces the 40 KB of
 * their source each time. The browser compiles them once for a process.
 */
import { SOURCE as COLLECT } from '../generated/collect.ts';
import { SOURCE as RECORD_NAVIGATIONS } from '../generated/record-navigations.ts';
import { SOURCE as SCROLL } from '../generated/scroll.ts';

const RESIDENTS: ReadonlyMap<string, string> = new Map([
  [COLLECT, 'collect'],
  [SCROLL, 'scroll'],
]);

/** Run at the start of every document, in our world: records navigations, and keeps the resident scripts. */
export const DOCUMENT_START: string = [
  `(${RECORD_NAVIGATIONS})();globalThis.orbweaverResidents={`,
  [...RESIDENTS].map(([source, name]) => `${name}:${source}`).join(','),
  '};',
].join('');

/**
 * The call of a resident script; null where the script is not resident. The call gives undefined in a document that does not have it:
 * no script of ours answers that.
 * @param argument JSON
 */
export function residentCall(source: string, argument: string): string | null {
  const name = RESIDENTS.get(source);
  return name === undefined ? null : `globalThis.orbweaverResidents?.${name}(${argument})`;
}
