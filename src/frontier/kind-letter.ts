import type { Candidate } from '../model/candidate.ts';

/** How a URL was found, as one letter: it is kept for every pending URL. A letter is never given another meaning. */
export const KIND_LETTERS: Readonly<Record<Candidate['kind'], string>> = {
  seed: 's',
  anchor: 'a',
  area: 'r',
  frame: 'f',
  form: 'o',
  'meta-refresh': 'm',
  header: 'h',
  'link-element': 'l',
  redirect: 'd',
  history: 'y',
  navigation: 'n',
  'window-open': 'w',
  click: 'c',
  script: 't',
  json: 'j',
  css: 'u',
  sitemap: 'p',
  robots: 'b',
  feed: 'e',
  resource: 'i',
  attribute: 'v',
  text: 'x',
  request: 'q',
};

const KINDS: ReadonlyMap<string, Candidate['kind']> = new Map(
  kindsOf(KIND_LETTERS).map((kind) => [KIND_LETTERS[kind], kind]),
);

function kindsOf(letters: typeof KIND_LETTERS): readonly Candidate['kind'][] {
  return Object.keys(letters).filter((kind): kind is Candidate['kind'] => kind in letters);
}

/**
 * How a URL was found and how sure that was, as it is kept while the URL is pending. The letter of a speculative link, a URL that only links of
 * low confidence named so far, is a capital one.
 */
export function kindMark({ kind, confidence }: Pick<Candidate, 'kind' | 'confidence'>): string {
  return confidence === 'low' ? KIND_LETTERS[kind].toUpperCase() : KIND_LETTERS[kind];
}

/** @throws {TypeError} where no kind has the letter. */
export function kindOfMark(mark: string): Pick<Candidate, 'kind' | 'confidence'> {
  const letter = mark.toLowerCase();
  const kind = KINDS.get(letter);
  if (kind === undefined) throw new TypeError(`no kind of link has the letter ${mark}`);
  return { kind, confidence: mark === letter ? 'high' : 'low' };
}
