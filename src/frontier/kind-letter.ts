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

/** @throws {TypeError} where no kind has the letter. */
export function kindOfLetter(letter: string): Candidate['kind'] {
  const kind = KINDS.get(letter);
  if (kind === undefined) throw new TypeError(`no kind of link has the letter ${letter}`);
  return kind;
}
