/**
 * Redacts texts for logs and terminals: values of query parameters and fragments that are tokens by their names, users and
 * passwords in URLs, and values that a user gave as secrets. Logs are sent around, terminals are recorded by build servers.
 * The records of a crawl keep whole URLs. All of it takes time in proportion to the text.
 */

/** Stands in place of a value; it would pass for one in a URL. */
const HIDDEN = 'REDACTED';

/** `?name=`, `&name=`, `;name=`, `#name=`, also of a URL that is a value itself, percent-encoded. */
const PARAMETER = /(?:[?&;#]|%(?:3f|26|3b|23))([\w.~$%[\]-]{1,64}?)(=|%3d)/gi;
/** A value: up to the next parameter, or to a character that ends a URL in a text. */
const VALUE = /[^&#\s"'<>`\p{Cc}]*/uy;
const ENCODED_VALUE = /(?:(?!%(?:26|23))[^&#\s"'<>`\p{Cc}])*/iuy;

/** Names that mean a secret wherever they stand alone; without case, `-`, `_`, `.` and brackets. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'auth',
  'authorization',
  'awsaccesskeyid',
  'bearer',
  'code',
  'hmac',
  'key',
  'otp',
  'pass',
  'phpsessid',
  'samlrequest',
  'samlresponse',
  'session',
  'sid',
  'sig',
  'ticket',
]);
/** Endings of further secret names: `csrf_token`, `X-Amz-Signature`, `client_secret`. */
const SECRET_ENDING =
  /(?:token|secret|password|passwd|pwd|passphrase|passcode|signature|apikey|accesskey|privatekey|sharedkey|authkey|secretkey|subscriptionkey|sessionid|sessid|jwt|credentials?|authcode)$/;

/** `https://user:password@`; text of more than this many characters is not a user name. */
const USER = /\b([a-z][a-z0-9+.-]{1,19}:\/\/)[^\s/?#"'<>\p{Cc}]{1,512}@/giu;

/** The text without values that are secrets by their names. A redacted text stays the same. */
export function redactedText(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  PARAMETER.lastIndex = 0;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name = '', equals] = match;
    if (!isSecretName(name)) continue;
    const begin = PARAMETER.lastIndex;
    const value = equals === '=' ? VALUE : ENCODED_VALUE;
    value.lastIndex = begin;
    value.exec(text);
    const end = value.lastIndex;
    if (end > begin) {
      pieces.push(text.slice(done, begin), HIDDEN);
      done = end;
      PARAMETER.lastIndex = end;
    }
  }
  const hidden = done === 0 ? text : `${pieces.join('')}${text.slice(done)}`;
  return hidden.includes('@') ? hidden.replace(USER, `$1${HIDDEN}@`) : hidden;
}

/** Does a name say that its value is a secret? @param name of a parameter or a header */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/%5b|%5d|[^a-z0-9]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_ENDING.test(plain);
}

/** A shorter secret would be found in texts that have nothing to do with it (arbitrary). */
const SHORTEST_SECRET = 4;
/** Shortest part of a secret that is hidden: longer than the words of schemes, as `Bearer` (arbitrary). */
const SHORTEST_PART = 8;

/**
 * Makes a function that hides secrets in a text: those of {@link redactedText}, and these values, wherever they stand.
 * @param secrets values as they are sent; each of their longer parts (`session=…; …`, `Bearer …`) is hidden for itself, too
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const parts = secrets.flatMap((secret) => [
    ...(secret.length >= SHORTEST_SECRET ? [secret] : []),
    ...secret.split(/[\s,;=]+/).filter((part) => part.length >= SHORTEST_PART),
  ]);
  const written = parts.flatMap((part) => [part, encodeURIComponent(part)]);
  const longestFirst = [...new Set(written)].toSorted((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, HIDDEN), redactedText(text));
}
