/** The headers of a recorded answer for sending it again: without those of the connection, of undone codings, and of https. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Headers } from '../model/page.ts';

const LEFT_OUT: ReadonlySet<string> = new Set([
  // of the former connection
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // the body is sent decoded, perhaps with other addresses in it
  'content-encoding',
  'content-length',
  'content-md5',
  'content-digest',
  'digest',
  'etag',
  // of https, and of external places that browsers would report to
  'strict-transport-security',
  'alt-svc',
  'expect-ct',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

/** @param served rewrites addresses of the recorded origins */
export function replayedHeaders(headers: Headers, served: (text: string) => string): string[] {
  return headers.flatMap(([name, value]) => {
    if (LEFT_OUT.has(name)) return [];
    const sent = served(changed(name, value));
    return isValid(name, sent) ? [name, sent] : [];
  });
}

function changed(name: string, value: string): string {
  if (name === 'set-cookie') return value.replaceAll(/;\s*(?:domain=[^;]*|secure)(?=;|$)/gi, '');
  return name.startsWith('content-security-policy') ? value.replaceAll(/upgrade-insecure-requests\s*;?/gi, '') : value;
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
