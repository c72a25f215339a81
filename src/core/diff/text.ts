/** The facet of texts: passages that changed. The same change on several pages is one difference, all others of a page are one together. */
import { cutText } from '../../base/cut-text.ts';
import { hash64 } from '../../base/hash.ts';
import type { Observation } from '../../model/audit-rule.ts';
import { editScript } from './edit-script.ts';
import { differenceRule, type DifferenceRule } from './facet.ts';
import { movedApart, type ChangedLines, type MovedLines } from './moved-lines.ts';
import { wordChange } from './word-change.ts';

export const TEXT_RULE: DifferenceRule = differenceRule({
  id: 'changed-text',
  severity: 'warning',
  category: 'documents',
  about: 'element',
  title: 'Page with another text',
  why: 'What readers see is not what they saw.',
});

/** A passage that changed, or moved. */
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
  /** Does it stand elsewhere on the page, and is it otherwise as it was? */
  readonly isMoved: boolean;
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
  const [one, other] = [old.map(comparedLine), now.map(comparedLine)];
  const { changed, moved } = movedApart(editScript(one, other), one, other);
  const besides = ({ oldFrom, oldTo }: MovedLines): readonly [string, string] => {
    const [ahead = '', behind = ''] = [old[oldFrom - 1], old[oldTo]].map((line) => (line ?? '').trim().slice(0, 100));
    return [ahead, behind];
  };
  for (const lines of changed.flatMap(lineByLine)) {
    if (hunks.length >= MOST_HUNKS) break;
    const [gone, come] = [lines.gone.map((at) => old[at] ?? ''), lines.come.map((at) => now[at] ?? '')];
    const passages = changedPassages(joined(gone), joined(come));
    if (passages === null) continue;
    const { shown, key } = wordChange(...passages); // whole: words that are only cut off are not gone
    const [before = '', after = ''] = passages.map((passage) => cutText(passage, MOST_CHARACTERS));
    hunks.push({ before, after, shown, key: hash64(comparedLine(key)), beside: besides(lines), isMoved: false });
  }
  for (const lines of moved.slice(0, MOST_HUNKS - hunks.length)) {
    const text = joined(old.slice(lines.oldFrom, lines.oldTo));
    const before = cutText(text, MOST_CHARACTERS);
    const key = hash64(`moved ${comparedLine(text)}`);
    hunks.push({
      before,
      after: before,
      shown: `moved: ${beginning(text)}`,
      key,
      beside: besides(lines),
      isMoved: true,
    });
  }
  return hunks;
}

/** An equal number of lines: most often each line replaces one. */
function lineByLine(lines: ChangedLines): readonly ChangedLines[] {
  const { gone, come } = lines;
  if (gone.length !== come.length || gone.length > MOST_HUNKS) return [lines];
  return gone.map((place, at) => ({
    ...{ gone: [place], come: come.slice(at, at + 1) },
    ...{ oldFrom: place, oldTo: place + 1 },
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
  readonly address: string;
  /** The estimated share of the text that is the same, 0 to 1; null where it is too short for that. */
  readonly similarity: number | null;
  readonly hunks: readonly TextHunk[];
}

/** Up to this similarity, the report names the share that stayed (arbitrary; a changed word of a short text costs five shingles). */
const REWRITTEN = 0.5;
/** Passages of a page that are shown. */
const SHOWN = 5;

/** From so many characters on, a passage that a page lost and another one has newly is the same one (arbitrary). */
const LONG = 40;

/** Collects the passages of all pages. */
export class TextBook {
  readonly #pages: PageHunks[] = [];
  readonly #counts = new Map<string, number>();
  /** The first page that lost a passage, and the first one that has it newly, by its text. */
  readonly #lost = new Map<string, string>();
  readonly #found = new Map<string, string>();

  add(page: PageHunks): void {
    if (page.hunks.length === 0) return;
    this.#pages.push(page);
    for (const key of new Set(page.hunks.map((hunk) => hunk.key)))
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    for (const { before, after } of page.hunks) {
      const [pages, text] = before === '' ? [this.#found, after] : [this.#lost, before];
      if ((before === '' || after === '') && text.length >= LONG && !pages.has(text)) pages.set(text, page.address);
    }
  }

  *observations(): Generator<Observation & { readonly url: string }> {
    for (const { url, similarity, hunks } of this.#pages) {
      const seen = new Set<string>();
      const own: TextHunk[] = [];
      for (const hunk of hunks) {
        if (seen.has(hunk.key)) continue;
        seen.add(hunk.key);
        if ((this.#counts.get(hunk.key) ?? 0) < 2) own.push(hunk);
        else
          yield {
            url,
            message: sentence([hunk], '') + this.#elsewhere([hunk]),
            thing: hunk.key,
            evidence: { change: hunk.shown },
          };
      }
      if (own.length === 0) continue;
      const shown = own.slice(0, SHOWN).map((hunk) => hunk.shown);
      const atLeast = hunks.length < MOST_HUNKS ? '' : 'at least ';
      const more = own.length > SHOWN ? ` ⏎ and ${atLeast}${own.length - SHOWN} more passages` : '';
      yield {
        url,
        message: sentence(own, atLeast) + this.#elsewhere(own) + shareWords(similarity),
        thing: `on ${own.map(({ key }) => key).join(' ')}`,
        evidence: { change: shown.join(' ⏎ ') + more },
      };
    }
  }

  /** Where a single passage stands that the page lost, or stood that it has newly. */
  #elsewhere([hunk, ...others]: readonly TextHunk[]): string {
    if (hunk === undefined || others.length > 0) return '';
    const has = hunk.after === '' ? this.#found.get(hunk.before) : undefined;
    const had = hunk.before === '' ? this.#lost.get(hunk.after) : undefined;
    return has === undefined ? (had === undefined ? '' : `; ${had} had it before`) : `; ${has} has it now`;
  }
}

function sentence(hunks: readonly TextHunk[], atLeast: string): string {
  const [first] = hunks;
  if (first?.isMoved === true && hunks.every(({ isMoved }) => isMoved))
    return hunks.length === 1
      ? `The text has a passage at another place: “${beginning(first.before)}”`
      : `The text has ${atLeast}${hunks.length} passages at another place`;
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
