/** Why an address of an anchor leads nowhere, whatever answers: a mistyped scheme, a mail address or a number that is missing. */
import { nearest } from '../../base/nearest.ts';

/** Schemes that are mistyped. Short ones are too near to those of applications. */
const SCHEMES = ['http', 'https', 'mailto', 'javascript'];
const SHOWN = 100;
/** Longer addresses are not written by hand. */
const LENGTH = 2000;

/**
 * The fault in words; null where there is none.
 * @param href as written, of an address that is no http(s) URL @param isUrl can it be parsed at all?
 */
export function hrefFault(href: string, isUrl: boolean): string | null {
  const text = href.trim();
  if (text.length > LENGTH) return null;
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const rest = text.slice(scheme.length + 1);
  if (scheme === 'mailto') return mailFault(rest);
  if (scheme === 'tel') return /\d/.test(rest) ? null : 'it has no number';
  if (!isUrl) return hasNoHost(text) ? 'it has no host' : 'it is no URL';
  if (SCHEMES.includes(scheme)) return null;
  const meant = nearest(scheme, SCHEMES);
  return meant === null ? null : `${scheme} is no scheme; ${meant} is meant`;
}

function hasNoHost(text: string): boolean {
  return /^(?:https?:)?\/*$/i.test(text);
}

/** `?subject=…` alone is a mail whose receiver the reader chooses. */
function mailFault(rest: string): string | null {
  const [written = '', query] = rest.split('?', 2);
  const addresses = decoded(written).trim();
  if (addresses === '') return query === undefined ? 'it has no mail address' : null;
  const wrong = addresses.split(/[,;]/).find((address) => !isMailAddress(address.trim()));
  return wrong === undefined ? null : `${JSON.stringify(wrong.trim().slice(0, SHOWN))} is no mail address`;
}

function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return text === '' || (at > 0 && at < text.length - 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
