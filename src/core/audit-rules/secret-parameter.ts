/** Detects addresses that hold a secret of a single person. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { decodedParts } from '../../model/url/query-parts.ts';

/** Names of credentials; tokens of single forms (CSRF) and public keys (maps) are left out. */
const SECRET =
  /^(?:access_?token|auth_?token|id_?token|refresh_?token|session_?token|jwt|password|passwd|pwd|client_?secret|session_?id|phpsessid|jsessionid)$/i;
const PASSWORD = /^(?:password|passwd|pwd)$/i;
/** Shorter values are switches, numbers, examples. */
const LEAST = 16;
const LEAST_PASSWORD = 4;
const EXAMPLE = /your|example|token|secret|xxx|\.\.\.|[<>{}*]/i;

/** The name of the parameter; null where there is none. */
export function secretParameter(text: string): string | null {
  if (!/[?@]|;jsessionid=/i.test(text)) return null;
  const url = parsedUrl(text);
  if (url === null) return null;
  if (url.password !== '') return 'password before the host';
  const inPath = /;(jsessionid)=([\w.-]+)/i.exec(url.pathname);
  const pairs = [
    ...decodedParts(url.search),
    ...(inPath === null ? [] : [[inPath[1] ?? '', inPath[2] ?? ''] as const]),
  ];
  const found = pairs.find(([name, value]) => {
    if (!SECRET.test(name) || EXAMPLE.test(value)) return false;
    return PASSWORD.test(name) ? value.length >= LEAST_PASSWORD : value.length >= LEAST && /\d/.test(value);
  });
  return found?.[0] ?? null;
}
