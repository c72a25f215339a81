/** Facets that compare unordered lines of a page: its structured data, and its errors. */
import type { Observation } from '../../model/audit-rule.ts';
import { differenceRule, type PageFacet } from './facet.ts';
import { steadyText } from './volatile.ts';
import { wordChange } from './word-change.ts';

/** Lines of a page that are reported one by one. */
const MOST = 20;

export const STRUCTURED_DATA: PageFacet = {
  name: 'structured-data',
  rule: differenceRule({
    id: 'changed-structured-data',
    severity: 'warning',
    category: 'documents',
    about: 'element',
    title: 'Page with other structured data',
    why: 'Search engines show prices, dates and ratings out of it.',
  }),
  *compare({ content: old }, { content: now }) {
    if (old.structured === null || now.structured === null) return;
    const { gone, come } = difference(old.structured, now.structured, steadyText); // its dates are content
    // a changed value is one difference: it has a line of the same name
    const nameOf = (line: string): string => line.slice(0, line.indexOf(': '));
    const rest = [...come];
    for (const line of gone) {
      const at = rest.findIndex((other) => nameOf(other) === nameOf(line));
      const [other] = at === -1 ? [] : rest.splice(at, 1);
      if (other === undefined) yield { message: `The structured data lost ${line}`, thing: `-${line}` };
      else {
        const { shown, key } = wordChange(line, other);
        yield {
          message: `The structured data had ${line}, and has ${other}`,
          thing: `${nameOf(line)}\n${key}`,
          evidence: { change: shown },
        };
      }
    }
    for (const line of rest) yield { message: `The structured data has ${line} as well`, thing: `+${line}` };
  },
};

export const ERRORS: PageFacet = {
  name: 'errors',
  rule: differenceRule({
    id: 'changed-errors',
    severity: 'error',
    category: 'behaviour',
    about: 'element',
    title: 'Page with other errors in its console or its network',
    why: 'What a script was to do, or a file was to bring, may be missing.',
    fix: 'Open the page with the console, and see what fails.',
  }),
  *compare({ content: old }, { content: now }, steady) {
    if (old.errors === null || now.errors === null) return;
    const { gone, come } = difference(old.errors, now.errors, steady);
    for (const line of come) yield { message: `An error that was not there: ${line}`, thing: `+${line}` };
    for (const line of gone) yield goneError(line);
  },
};

/** Good news, and a difference all the same. */
function goneError(line: string): Observation {
  return { message: `An error is gone: ${line}`, thing: `-${line}`, severity: 'notice' };
}

/** Lines that only one side has, each once. */
function difference(
  old: readonly string[],
  now: readonly string[],
  steady: (line: string) => string,
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const [before, after] = [new Set(old.map(steady)), new Set(now.map(steady))];
  return {
    gone: [...before].filter((line) => !after.has(line)).slice(0, MOST),
    come: [...after].filter((line) => !before.has(line)).slice(0, MOST),
  };
}
