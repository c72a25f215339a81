import type { NetworkFailure } from '../model/visit-outcome.ts';

const BY_CODE: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad-response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad-response',
  EPROTO: 'tls',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
};

/** The kind of failure that an error of node:net, node:tls, node:http or undici stands for, by its code alone. */
export function networkFailureOf(error: unknown): NetworkFailure {
  if (error instanceof Error && error.name === 'HTTPParserError') return 'bad-response'; // undici's, without a code
  const code = errorCodeOf(error);
  if (code === null) return 'other';
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'bad-response';
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code))
    return 'tls';
  return 'other';
}

/** The `code` of an error, or null. */
export function errorCodeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** The text of an error, in one line of at most 200 printable ASCII characters: it may quote a server, and go into a header. */
export function detailOf(error: unknown): string {
  return headerSafe(error instanceof Error ? error.message : String(error));
}

/** Printable ASCII, at most 200 characters. */
export function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}
