/** The screenshots of expected.json, and their names (docs/regression.md, "A site as a test"). */
import { differenceRule, type DifferenceRule } from './facet.ts';

export interface ExpectedPictures {
  /** Share of the pixels of a picture that may differ, 0 to 1. */
  readonly threshold?: number | undefined;
  /** Pixels of one region that may differ. */
  readonly region?: number | undefined;
  /** Parts that are not compared: an element, or all of a page. */
  readonly masks: readonly PictureMask[];
  /** All pages: key of the page → window (`first`, `375x812`) → name of a PNG. */
  readonly pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface PictureMask {
  /** Key of a page, with `*` for anything; all pages where it is left out. */
  readonly page?: string | undefined;
  /** Selector of an element, with `*`; its content is masked, too. All of the page where it is left out. */
  readonly selector?: string | undefined;
}

export const PICTURE_RULE: DifferenceRule = differenceRule({
  id: 'unexpected-picture',
  severity: 'error',
  category: 'documents',
  about: 'page',
  title: 'Screenshot that is missing, is another, or is not expected',
  why: 'expected.json names all screenshots.',
  fix: 'Mend the site; if it should look so, run with --update and review the pictures.',
});

/** Characters of the name of a file before its window. */
const NAME_LENGTH = 60;

/**
 * Name for a page's picture that has none yet: the words of the page's key, and a number where the name is taken.
 * @param taken names that are in use
 */
export function pictureName(key: string, window: string, taken: ReadonlySet<string>): string {
  const words = key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_LENGTH);
  const ending = `${window === 'first' ? '' : `.${window}`}.png`;
  const base = words === '' ? 'index' : words;
  let name = base + ending;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}${ending}`;
  return name;
}
