/**
 * Globs of URLs. `*` stands for any characters but a slash, `**` for any at all; everything else for itself, also `?`, which begins the query
 * of a URL. A glob that begins with a slash is compared with the part after the host, another with the whole URL.
 */

/** Longer ones are a mistake; it also bounds the work for a URL. */
const GLOB_LENGTH = 1000;
const BEGINNING = /^(?:https?:\/\/|\*|\/)/;

/** The reason why a text is no glob of URLs, in words that follow its name; null where it is one. */
export function globFault(glob: string): string | null {
  if (glob === '') return 'is empty';
  if (glob.length > GLOB_LENGTH) return `is longer than ${GLOB_LENGTH} characters`;
  return BEGINNING.test(glob) ? null : 'matches no URL: it begins with http://, https://, * or /';
}

/** @param glob one without a {@link globFault} */
export function urlGlob(glob: string): (url: string) => boolean {
  const parts = glob.split(/(\*+)/).flatMap((part): readonly Part[] => {
    if (part.startsWith('*')) return [part === '*' ? 'segment' : 'any'];
    return [...part].map((character) => ({ character }));
  });
  const wholeUrl = !glob.startsWith('/');
  return (url) => matches(parts, wholeUrl ? url : placeOf(url));
}

type Part = 'segment' | 'any' | { readonly character: string };

/** Path, query and fragment. */
function placeOf(url: string): string {
  const [, place = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  return place;
}

/** Tries all ways of matching side by side, so that the work grows with the text alone, whatever its content. */
function matches(parts: readonly Part[], text: string): boolean {
  // positions in the glob that the text so far may have led to
  let reached = new Uint8Array(parts.length + 1);
  reached[0] = 1;
  skipStars(parts, reached);
  for (const character of text) {
    const next = new Uint8Array(parts.length + 1);
    let alive = false;
    for (const [position, part] of parts.entries()) {
      if (reached[position] !== 1) continue;
      const stays = part === 'any' || (part === 'segment' && character !== '/');
      if (stays) next[position] = 1;
      else if (typeof part === 'object' && part.character === character) next[position + 1] = 1;
      else continue;
      alive = true;
    }
    if (!alive) return false;
    skipStars(parts, next);
    reached = next;
  }
  return reached[parts.length] === 1;
}

/** A star may stand for nothing. */
function skipStars(parts: readonly Part[], reached: Uint8Array): void {
  for (const [position, part] of parts.entries())
    if (reached[position] === 1 && typeof part === 'string') reached[position + 1] = 1;
}
