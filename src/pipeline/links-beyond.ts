/** What a second visit of a page adds to the lines that its first one wrote. */
import type { CommittedLink } from '../model/visit-commit.ts';

/**
 * The links that lead elsewhere than the recorded ones, or were found in another way. How they are written, their words and when they were there do not
 * matter: a browser shows the links of the markup as its scripts left them.
 * @param recorded empty for a first visit, of which all links stay
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
