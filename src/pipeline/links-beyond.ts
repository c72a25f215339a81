/** Links that a second visit of a page adds to those that its first one wrote. */
import type { CommittedLink } from '../model/visit-commit.ts';

/**
 * The links that lead elsewhere than the recorded ones, or were found in another way. Spelling, text and stage do not
 * matter: a browser shows the links of the markup as the page's scripts left them.
 * @param recorded empty for a first visit, which keeps all its links
 */
export function linksBeyond(
  recorded: readonly CommittedLink[],
  shown: readonly CommittedLink[],
): readonly CommittedLink[] {
  if (recorded.length === 0) return shown;
  const known = new Set(recorded.map(keyOf));
  return shown.filter((each) => !known.has(keyOf(each)));
}

function keyOf({ record: { to, kind, context, frame, confidence } }: CommittedLink): string {
  return `${to}\n${kind}\n${context}\n${frame ?? ''}\n${confidence}`;
}
