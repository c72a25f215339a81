/** Tags of languages (BCP 47), as far as pages need them. */
import { THREE_LETTERS } from './three-letter-languages.ts';

/** With the extended subtags (RFC 5646, section 2.2.2) that pages use: varieties of Chinese, and sign languages. */
const TAG =
  /^(?:zh-(?:cdo|cjy|cmn|cnp|cpx|csp|czh|czo|gan|hak|hsn|lzh|mnp|nan|wuu|yue)|sgn-[a-z]{3}|[a-z]{2,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?$/i;
/** Wrong codes that people write for regions: CLDR reads them as others. */
const NO_REGIONS: Readonly<Record<string, string>> = { uk: 'GB' };

/** ISO 639-2: not known, not coded, several, none. */
const SPECIAL: ReadonlySet<string> = new Set(['und', 'mis', 'mul', 'zxx']);

/** The reason why a tag names no language; null where it names one. */
export function languageFault(tag: string): string | null {
  if (tag.length > 60 || !TAG.test(tag)) return 'it is no language tag';
  const [language = '', ...rest] = tag.toLowerCase().split('-');
  if (!SPECIAL.has(language) && !isRegistered(language) && nameOf('language', language) === null)
    return `${language} is no language`;
  const region = rest.find((part) => /^(?:[a-z]{2}|\d{3})$/.test(part));
  if (region === undefined || rest.indexOf(region) > 1) return null;
  const meant = NO_REGIONS[region];
  if (meant !== undefined) return `${region.toUpperCase()} is no region; ${meant} is meant`;
  return nameOf('region', region.toUpperCase()) === null ? `${region.toUpperCase()} is no region` : null;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Is it a registered code of three letters? */
function isRegistered(code: string): boolean {
  if (code.length !== 3) return false;
  const bit = [...code].reduce((sum, letter) => sum * LETTERS.length + LETTERS.indexOf(letter), 0);
  const six = BASE64.indexOf(THREE_LETTERS[Math.floor(bit / 6)] ?? '');
  return ((six >> (5 - (bit % 6))) & 1) === 1;
}

function nameOf(type: 'language' | 'region', code: string): string | null {
  try {
    return new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) ?? null;
  } catch {
    return null;
  }
}
