/** The facet of texts: passages that changed. The same change on several pages is one difference, all others of a page are one together. */
import { cutText } from '../../base/cut-text.ts';
import { hash64 } from '../../base/hash.ts';
import type { Observation } from '../../model/audit-rule.ts';
import { editScript, type Hunk } from './edit-script.ts';
import { differenceRule, type DifferenceRule } from './facet.ts';
import { wordChange } from './word-change.ts';

export const TEXT_RULE: DifferenceRule = differenceRule({
  id: 'changed-text',
  severity: 'warning',
  category: 'documents',
  about: 'element',
  title: 'Page with another text',
  why: 'What readers see is not what they saw.',
});

/** A passage that changed. */
export interface TextHunk {
  /** Its lines as they were and as they are; one of both may be empty. */
  readonly before: string;
  readonly after: string;
  /** The passage with its removed and added words marked. */
  readonly shown: string;
  /** Equal for equal changes. */
  readonly key: string;
  /** The lines that stand before and after it. */
  readonly beside: readonly [string, string];
}

/** Passages of a page that are looked at, and characters of each that are kept. */
const MOST_HUNKS = 50;
const MOST_CHARACTERS = 4000;
/** From this place on a change is shown without the beginning of its passage, but for some characters ahead of it (both arbitrary). */
const FAR = 1000;
const SHOWN_AHEAD = 200;
/** Stands before a passage whose beginning is left out. */
export const CUT = '… ';

/**
 * The passages in which two texts differ.
 * @param old @param now lines with noise already folded
 */
export function textHunks(old: readonly string[], now: readonly string[]): readonly TextHunk[] {
  const hunks: TextHunk[] = [];
  const script = editScript(old.map(comparedLine), now.map(comparedLine));
  for (const { oldFrom, oldTo, newFrom, newTo } of script.flatMap(lineByLine)) {
    if (hunks.length >= MOST_HUNKS) break;
    const passages = changedPassages(joined(old.slice(oldFrom, oldTo)), joined(now.slice(newFrom, newTo)));
    if (passages === null) continue;
    const { shown, key } = wordChange(...passages); // whole: words that are only cut off are not gone
    const [before = '', after = ''] = passages.map((passage) => cutText(passage, MOST_CHARACTERS));
    const beside = [old[oldFrom - 1] ?? '', old[oldTo] ?? ''].map((line) => line.trim().slice(0, 100));
    hunks.push({ before, after, shown, key: hash64(comparedLine(key)), beside: [beside[0] ?? '', beside[1] ?? ''] });
  }
  return hunks;
}

/** An equal number of lines: most often each line replaces one. */
function lineByLine(hunk: Hunk): readonly Hunk[] {
  const { oldFrom, oldTo, newFrom, newTo } = hunk;
  const count = oldTo - oldFrom;
  if (count !== newTo - newFrom || count > MOST_HUNKS) return [hunk];
  return Array.from({ length: count }, (_, at) => ({
    ...{ oldFrom: oldFrom + at, oldTo: oldFrom + at + 1 },
    ...{ newFrom: newFrom + at, newTo: newFrom + at + 1 },
  }));
}

/** Case and white space do not count: they often come from the style sheet. */
function comparedLine(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Both sides from shortly before the first change on, where that is far from the beginning. Null where they are the same words in other
 * lines.
 */
function changedPassages(before: string, after: string): readonly [string, string] | null {
  const same = sameCharacters(before, after);
  if (same === before.length && same === after.length) return null;
  if (same <= FAR) return [before, after];
  const word = before.lastIndexOf(' ', same - SHOWN_AHEAD) + 1;
  const from = Math.max(word, same - 2 * SHOWN_AHEAD); // a language may write no blanks
  return [CUT + before.slice(from), CUT + after.slice(from)];
}

/** Number of characters at the beginning that are the same but for their case. */
function sameCharacters(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && (one[at] === other[at] || one[at]?.toLowerCase() === other[at]?.toLowerCase())) at += 1;
  return at;
}

interface PageHunks {
  readonly url: string;
  /** The estimated share of the text that is the same, 0 to 1; null where it is too short for that. */
  readonly similarity: number | null;
  readonly hunks: readonly TextHunk[];
}

/** Up to this similarity, the report names the share that stayed (arbitrary; a changed word of a short text costs five shingles). */
const REWRITTEN = 0.5;
/** Passages of a page that are shown. */
const SHOWN = 5;

/** Collects the passages of all pages. */
export class TextBook {
  readonly #pages: PageHunks[] = [];
  readonly #counts = new Map<string, number>();

  add(page: PageHunks): void {
    if (page.hunks.length === 0) return;
    this.#pages.push(page);
    for (const key of new Set(page.hunks.map((hunk) => hunk.key)))
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  *observations(): Generator<Observation & { readonly url: string }> {
    for (const { url, similarity, hunks } of this.#pages) {
      const seen = new Set<string>();
      const own: TextHunk[] = [];
      for (const hunk of hunks) {
        if (seen.has(hunk.key)) continue;
        seen.add(hunk.key);
        if ((this.#counts.get(hunk.key) ?? 0) < 2) own.push(hunk);
        else yield { url, message: sentence([hunk], ''), thing: hunk.key, evidence: { change: hunk.shown } };
      }
      if (own.length === 0) continue;
      const shown = own.slice(0, SHOWN).map((hunk) => hunk.shown);
      const atLeast = hunks.length < MOST_HUNKS ? '' : 'at least ';
      const more = own.length > SHOWN ? ` ⏎ and ${atLeast}${own.length - SHOWN} more passages` : '';
      yield {
        url,
        message: sentence(own, atLeast) + shareWords(similarity),
        thing: `on ${own.map(({ key }) => key).join(' ')}`,
        evidence: { change: shown.join(' ⏎ ') + more },
      };
    }
  }
}

function sentence(hunks: readonly TextHunk[], atLeast: string): string {
  const [first] = hunks;
  if (first === undefined || hunks.length > 1) return `The text changed in ${atLeast}${hunks.length} passages`;
  if (first.before === '') return `The text has a new passage: “${beginning(first.after)}”`;
  if (first.after === '') return `The text lost a passage: “${beginning(first.before)}”`;
  return `The text changed: ${beginning(first.shown)}`;
}

function shareWords(similarity: number | null): string {
  return similarity === null || similarity > REWRITTEN
    ? ''
    : `; ${Math.round(similarity * 100)} % of the text is as it was`;
}

function beginning(text: string): string {
  return text.length > 160 ? `${cutText(text, 159)}…` : text;
}
