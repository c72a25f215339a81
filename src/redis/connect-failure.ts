/** Why a Redis server could not be used, in words: one that is away, or one that refuses. */

interface ConnectFailure {
  /** Follows the name of the server. */
  readonly what: string;
  /** A sentence or two. */
  readonly cure: string;
  /** Was there a server that refused, or none? */
  readonly isRefusal: boolean;
}

/** What to look for at the beginning of the error's code and words, and what it means. */
type Row = readonly [beginning: RegExp, what: string, cure: string];

const ROWS: readonly Row[] = [
  [
    /^NOAUTH/,
    'asks for a password',
    'Give it in the URL: redis://:<password>@host:6379, best in ORBWEAVER_REDIS_URL, which other users do not see.',
  ],
  [
    /^WRONGPASS|^ERR invalid password/,
    'does not accept the user or the password',
    'Check both in the URL: characters like @, / and # are written with a %, like %40.',
  ],
  [/^NOPERM/, 'does not let this user in', 'Give the user more (ACL SETUSER), or name another one in the URL.'],
  [/^ERR DB index/, 'has no such database', 'Databases are numbered from 0, mostly to 15.'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY))/,
    'shows a certificate of an unknown authority',
    'Name the file with the certificate of the authority: NODE_EXTRA_CA_CERTS=ca.pem.',
  ],
  [
    /^(?:ERR_TLS_CERT|CERT_)/,
    'shows a certificate that is not valid',
    'Name the host that it was made for, or have it renewed.',
  ],
  [/^(?:EPROTO|ERR_SSL)/, 'does not speak TLS', 'Name a server without TLS with redis://, and check the port.'],
  // what ioredis says of bytes that are no reply, and of an answer of HTTP
  [/^Unknown RESP|^Protocol error/, 'does not speak as Redis does', 'Check the port: that of Redis is mostly 6379.'],
];

const PLAIN_ENDED: Row = [
  /^(?:ECONNRESET|EPIPE|Connection is closed)/,
  'ends the connection',
  'One with TLS is named with rediss://. One that has as many clients as it takes (maxclients) refuses others.',
];
const TLS_SILENT: Row = [
  /^(?:TimeoutError|ETIMEDOUT|ECONNRESET|EPIPE|Connection is closed)/,
  'does not answer over TLS',
  'Name a server without TLS with redis://, and check the port.',
];

/** @param isSecure is TLS asked for? */
export function connectFailure(error: unknown, isSecure: boolean): ConnectFailure {
  const words = error instanceof Error ? error.message.replace(/(?:\. Please report this)?\.$/, '') : 'unknown';
  const key = error instanceof Error ? keyOf(error) : '';
  const row = [...ROWS, isSecure ? TLS_SILENT : PLAIN_ENDED].find(([beginning]) => beginning.test(key));
  if (row !== undefined) return { what: `${row[1]}: ${words}.`, cure: row[2], isRefusal: true };
  const cure = 'Start it, or leave --redis away to use a private one.';
  return { what: `does not answer: ${words}.`, cure, isRefusal: false };
}

/** The code of an error of the system; else its name if the time was over, or its words, which begin with Redis' code. */
function keyOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'TimeoutError' ? error.name : error.message;
}
