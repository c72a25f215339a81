/** The headers of a recorded answer for sending it again: without those of the connection, of undone codings, and of https. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Headers } from '../model/page.ts';
import type { RecordedOrigins } from './recorded-origins.ts';

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
 * @param origins rewrite addresses of the recorded origins
 * @param coding content codings that the body still has; null where it has none
 */
export function replayedHeaders(
  headers: Headers,
  origins: Pick<RecordedOrigins, 'served' | 'servedPolicy'>,
  coding: string | null = null,
): string[] {
  const sent = headers.flatMap(([name, value]) =>
    LEFT_OUT.has(name) ? [] : checked(name, changed(name, value, origins)),
  );
  return coding === null ? sent : [...sent, ...checked('content-encoding', coding)];
}

const DOMAIN = /;\s*domain=[^;]*(?=;|$)/gi;
const DOMAIN_OR_SECURE = /;\s*(?:domain=[^;]*|secure)(?=;|$)/gi;
/** Cookies that browsers refuse without `Secure`; with it they take them from names of .localhost, too (tried in Chromium). */
const NEEDS_SECURE = /^\s*__(?:host|secure)-|;\s*samesite\s*=\s*none\s*(?:;|$)/i;

function checked(name: string, value: string): readonly string[] {
  return isValid(name, value) ? [name, value] : [];
}

function changed(
  name: string,
  value: string,
  { served, servedPolicy }: Pick<RecordedOrigins, 'served' | 'servedPolicy'>,
): string {
  if (name === 'set-cookie') return served(value.replaceAll(NEEDS_SECURE.test(value) ? DOMAIN : DOMAIN_OR_SECURE, ''));
  if (!name.startsWith('content-security-policy')) return served(value);
  return servedPolicy(value.replaceAll(/upgrade-insecure-requests\s*;?/gi, ''));
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
