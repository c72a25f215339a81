import type { Observation } from '../../model/audit-rule.ts';
import { cutText } from '../../base/cut-text.ts';
import { differenceRule, shownAddress, shownValues, type PageFacet } from './facet.ts';
import { wordChange } from './word-change.ts';

/** Description, language, first headings, and versions in other languages. */
export const META: PageFacet = {
  name: 'meta',
  rule: differenceRule({
    id: 'changed-meta',
    severity: 'warning',
    category: 'documents',
    about: 'element',
    title: 'Page with another description, language, first heading or translation',
    why: 'Search results, screen readers and previews go by them.',
  }),
  *compare({ page: old, content: before }, { page: now, content: after }, steady) {
    if (old.outcome !== 'captured' || now.outcome !== 'captured') return;
    const change = (what: string, was: string | null, is: string | null): Iterable<Observation> =>
      changed(what, { before: was, after: is }, steady);
    yield* change('description', old.description, now.description);
    yield* change('language', old.lang, now.lang);
    yield* change('first heading', old.h1.join(' | ') || null, now.h1.join(' | ') || null);
    if (before.alternates !== null && after.alternates !== null)
      yield* versions([before.alternates, old.address], [after.alternates, now.address]);
  },
};

function* changed(
  what: string,
  { before: old, after: now }: { readonly before: string | null; readonly after: string | null },
  steady: (line: string) => string,
): Generator<Observation> {
  const [before, after] = [steady(old ?? ''), steady(now ?? '')];
  if (before === after) return;
  const { shown, key } = wordChange(before, after);
  const [was, is] = shownValues(old, now);
  yield {
    message: `The ${what} was ${was}, and is ${is}`,
    thing: `${what}\n${key}`,
    evidence: { change: shown },
  };
}

type Versions = readonly [lines: readonly string[], own: string];

/** A language that comes or goes on many pages is one difference; another address is one of each page. */
function* versions([before, ownBefore]: Versions, [after, own]: Versions): Generator<Observation> {
  const [old, now] = [byLanguage(before), byLanguage(after)];
  const gone = [...old.keys()].filter((language) => !now.has(language));
  const come = [...now.keys()].filter((language) => !old.has(language));
  if (gone.length + come.length > 0) {
    const parts = [
      ...(gone.length === 0 ? [] : [`no longer has ${gone.join(', ')}`]),
      ...(come.length === 0 ? [] : [`has ${come.join(', ')} now`]),
    ];
    yield {
      message: cutText(`The list of its versions in other languages ${parts.join(', and ')}`, MOST_WORDS),
      thing: `versions\n-${gone.join()}\n+${come.join()}`,
    };
  }
  for (const [language, address] of now) {
    const known = old.get(language);
    // a page that moved names its new address
    if (known === undefined || known === address || (known === ownBefore && address === own)) continue;
    const [was, is] = shownValues(shownAddress(known), shownAddress(address));
    yield {
      message: `The version for ${language} was ${was}, and is ${is}`,
      thing: `${language}\n${known}\n${address}`,
    };
  }
}

/** Addresses by language. */
function byLanguage(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
}

/** Characters of the message. Arbitrary: a page may name hundreds of languages. */
const MOST_WORDS = 300;
