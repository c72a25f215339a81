/** The mark by which a user tells that a page was loaded signed in. */

/** `contrary`: pages without the mark are signed in. */
export type SignedInMark =
  | { readonly kind: 'selector'; readonly selector: string; readonly contrary: boolean }
  /** Compared with the final address of a page, and with the target of a redirect. */
  | { readonly kind: 'url'; readonly glob: string; readonly contrary: boolean }
  /** The browser holds a cookie of this name for the page. */
  | { readonly kind: 'cookie'; readonly name: string; readonly contrary: boolean };

type MarkReading = SignedInMark | { readonly kind: 'refused'; readonly why: string };

/** Longer ones are a mistake. */
const LENGTH = 1000;
/** RFC 6265 section 4.1.1: the name of a cookie is a token. */
const COOKIE_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads `selector:…`, `url:…`, `cookie:…`, each with `!` behind the colon for the contrary. Without a kind, a text that begins like
 * an address is a URL, a single word is the name of a cookie, and any other text is a selector.
 */
export function readSignedInMark(text: string): MarkReading {
  const [, misplaced] = /^!\s*(selector|url|cookie):/.exec(text.trim()) ?? [];
  if (misplaced !== undefined) return { kind: 'refused', why: `! stands behind the colon: ${misplaced}:!…` };
  const [, named, contrary = '', value = ''] = /^(?:(selector|url|cookie):)?\s*(!?)(.*)$/s.exec(text.trim()) ?? [];
  if (value === '') return { kind: 'refused', why: 'it names nothing' };
  if (value.length > LENGTH) return { kind: 'refused', why: `it is longer than ${LENGTH} characters` };
  const mark = { contrary: contrary === '!' };
  switch (named ?? guessedKind(value)) {
    case 'url':
      return { kind: 'url', glob: value, ...mark };
    case 'cookie':
      if (COOKIE_NAME.test(value)) return { kind: 'cookie', name: value, ...mark };
      return { kind: 'refused', why: 'no cookie can have this name' };
    default:
      return { kind: 'selector', selector: value, ...mark };
  }
}

function guessedKind(value: string): SignedInMark['kind'] {
  if (/^(?:https?:\/\/|\/)/.test(value)) return 'url';
  return /^[A-Za-z0-9_-]+$/.test(value) ? 'cookie' : 'selector';
}

/** The mark in words, for messages. */
export function markWords(mark: SignedInMark): string {
  const value = mark.kind === 'selector' ? mark.selector : mark.kind === 'url' ? mark.glob : mark.name;
  return `${mark.kind}:${mark.contrary ? '!' : ''}${value}`;
}
