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
  // the body is sent decoded where that is possible, perhaps with other addresses in it
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

/**
 * @param served rewrites addresses of the recorded origins
 * @param coding content codings that the body still has; null where it has none
 */
export function replayedHeaders(
  headers: Headers,
  served: (text: string) => string,
  coding: string | null = null,
): string[] {
  const sent = headers.flatMap(([name, value]) =>
    LEFT_OUT.has(name) ? [] : checked(name, served(changed(name, value))),
  );
  return coding === null ? sent : [...sent, ...checked('content-encoding', coding)];
}

function checked(name: string, value: string): readonly string[] {
  return isValid(name, value) ? [name, value] : [];
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
