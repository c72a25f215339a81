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
  ERR_ASSERTION: 'bad-response', // a status below 100, for undici
  EPROTO: 'tls',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
};

/** The kind of failure that an error of node:net, node:tls, node:http or undici stands for, by its code alone. */
export function networkFailureOf(error: unknown): NetworkFailure {
  if (error instanceof Error && error.name === 'HTTPParserError') return 'bad-response'; // undici's, without a code
  const code = errorCodeOf(error);
  if (code === null) return 'other';
  if (code === 'UND_ERR_SOCKET' && isUnasked(error)) return 'bad-response';
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'bad-response';
  if (code.startsWith('ERR_HTTP2_')) return 'reset'; // as a browser's HTTP2_ errors (render/page/browser-failure.ts)
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code))
    return 'tls';
  return 'other';
}

/** The `code` of an error, or null. */
export function errorCodeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** undici gives up where a server changes to another protocol, for which nobody has asked. */
function isUnasked(error: unknown): boolean {
  return error instanceof Error && error.message === 'bad upgrade';
}

/** What an error means, in one line of at most 200 printable ASCII characters: it may quote a server, and go into a header. */
export function detailOf(error: unknown): string {
  return headerSafe(error instanceof Error ? wordsOf(error) : String(error));
}

/** Said of a server that refuses to speak HTTP/1.1 within TLS. */
export const NO_HTTP1 = 'the server does not speak HTTP/1.1';
const NO_HTTP = 'the answer is no valid HTTP';
const HTTP2_ONLY = 'the server speaks only HTTP/2 without TLS, which browsers do not speak';

/** Words for users in place of those of node:http and undici, which name their own calls. */
function wordsOf(error: Error): string {
  const { message } = error;
  if (answersInHttp2(error)) return HTTP2_ONLY;
  switch (errorCodeOf(error) ?? '') {
    case 'ECONNRESET':
    case 'ECONNABORTED': // a reset by another name (gate/guarded-dispatcher.ts)
      return message === 'socket hang up' ? CLOSED : `the server reset the connection (${message})`;
    case 'UND_ERR_SOCKET':
      return SOCKET_WORDS.get(message) ?? message;
    case 'HPE_HEADER_OVERFLOW':
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'the headers of the answer are larger than 64 KiB';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH': // undici's name for each fault of a head that has named a length
    case 'ERR_ASSERTION':
      return NO_HTTP;
    case 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL':
      return NO_HTTP1;
    default: {
      const reason = OPENSSL.exec(message)?.[1];
      if (reason !== undefined) return `the TLS handshake failed (${reason})`;
      return message.replace(PARSER, `${NO_HTTP} (`).replace(/^Parse Error: (.*)$/, `${NO_HTTP} ($1)`);
    }
  }
}

/** Did the server send a frame of settings, with which each connection of HTTP/2 begins (RFC 9113 section 3.4)? */
function answersInHttp2(error: Error): boolean {
  const received: unknown = 'data' in error ? error.data : 'rawPacket' in error ? error.rawPacket : null; // of undici, of node:http
  const text =
    typeof received === 'string' ? received : Buffer.isBuffer(received) ? received.toString('latin1', 0, 9) : '';
  return /^[^]{3}\x04\0{5}/.test(text);
}

/** OpenSSL's form: a thread, that differs each time, a number, a library, a function, the reason, and a place in its sources. */
const OPENSSL = /\b[0-9A-F]{4,16}:error:[0-9A-F]{8}:[^:]*:[^:]*:([^:]+):/;
const PARSER = /^Response does not match the HTTP\/1\.1 protocol \(/;
const CLOSED = 'the server closed the connection without an answer';
const SOCKET_WORDS: ReadonlyMap<string, string> = new Map([
  ['other side closed', CLOSED],
  ['bad upgrade', 'the server changed to another protocol'],
]);

/** Printable ASCII, at most 200 characters. */
export function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}
