/** The user's proxy (`--proxy`), behind the egress gate: its address and its credential. */
import { parsedUrl } from '../base/parsed-url.ts';

const UPSTREAM_SCHEMES = ['http', 'https', 'socks5'] as const;
export type UpstreamScheme = (typeof UPSTREAM_SCHEMES)[number];

export interface UpstreamCredential {
  readonly username: string;
  readonly password: string;
}

export interface UpstreamProxy {
  readonly scheme: UpstreamScheme;
  /** As the URL Standard writes it; IPv6 in brackets. */
  readonly hostName: string;
  readonly port: number;
  readonly credential: UpstreamCredential | null;
  /** `socks5://host:port`, for people; never contains the credential. */
  readonly name: string;
}

type UpstreamReading =
  | { readonly kind: 'read'; readonly proxy: UpstreamProxy }
  /** `why` repeats nothing of the text, because the text may hold a password. */
  | { readonly kind: 'refused'; readonly why: string };

/** RFC 9110 section 4.2; 1080 is registered for SOCKS (RFC 1928 section 3). */
const USUAL_PORT: Readonly<Record<UpstreamScheme, number>> = { http: 80, https: 443, socks5: 1080 };
/** RFC 1929 section 2: lengths are encoded in one byte. */
const SOCKS_CREDENTIAL_BYTES = 255;
/** Most characters; a longer text is a mistake (arbitrary). */
const LONGEST = 2000;

/** Reads `http://host:port`, `https://…`, `socks5://…` (or `socks5h://…`, a synonym: names are resolved here). */
export function readUpstreamProxy(text: string): UpstreamReading {
  if (text.length > LONGEST) return refused(`it is longer than ${LONGEST} characters`);
  const match = /^(https?|socks5h?):\/\/([^\s/?#\\]+)\/?$/i.exec(text);
  const scheme = UPSTREAM_SCHEMES.find((each) => each === match?.[1]?.toLowerCase().replace('5h', '5'));
  const authority = match?.[2];
  if (scheme === undefined || authority === undefined) return refused('it is no scheme, host and port');
  // the scheme is replaced: the URL Standard reads hosts of unknown schemes as opaque texts
  const url = parsedUrl(`http://${authority}/`);
  if (url === null) return refused('its host or port is not valid');
  const [, written] = /:(\d+)$/.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  const port = written === undefined ? USUAL_PORT[scheme] : Number(written);
  if (port === 0) return refused('its port is 0');
  const credential = credentialOf(url);
  const why = credential === null ? null : credentialFault(credential, scheme);
  if (why !== null) return refused(why);
  return {
    kind: 'read',
    proxy: { scheme, hostName: url.hostname, port, credential, name: `${scheme}://${url.hostname}:${port}` },
  };
}

/** The URL of a proxy with this credential, which replaces its own. @param credential `user:password` */
export function withUpstreamCredential(text: string, credential: string): string {
  const [username = '', ...rest] = credential.split(':');
  const user = `${encodeURIComponent(username)}:${encodeURIComponent(rest.join(':'))}`;
  return text.replace(/^([a-z0-9]+:\/\/)(?:[^/?#]*@)?/i, (_whole, scheme: string) => `${scheme}${user}@`);
}

/** The URL of a proxy without its credential. */
export function withoutUpstreamCredential(text: string): string {
  return text.replace(/^([a-z0-9]+:\/\/)[^/?#]*@/i, '$1');
}

function credentialOf({ username, password }: URL): UpstreamCredential | null {
  if (username === '' && password === '') return null;
  return { username: decoded(username), password: decoded(password) };
}

function credentialFault({ username, password }: UpstreamCredential, scheme: UpstreamScheme): string | null {
  if (username === '') return 'it has a password and no user';
  if (username.includes(':')) return 'its user has a colon (RFC 7617 section 2)';
  const longest = Math.max(bytesOf(username), bytesOf(password));
  if (scheme === 'socks5' && longest > SOCKS_CREDENTIAL_BYTES)
    return `its user or password is longer than ${SOCKS_CREDENTIAL_BYTES} bytes (RFC 1929)`;
  return null;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A percent sign that encodes nothing is kept literally. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(why: string): UpstreamReading {
  return { kind: 'refused', why };
}
