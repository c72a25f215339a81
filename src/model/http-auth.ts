/**
 * User and password for a host with HTTP authentication (Basic, RFC 7617), as a user writes them: `user:password@host`. They are
 * sent to one origin only.
 */
import { parsedUrl } from '../base/parsed-url.ts';
import { webOrigin, type UserHeaders } from './user-headers.ts';

interface HttpAuth {
  readonly user: string;
  readonly password: string;
  /** `example.org`, `example.org:8443`, or with its scheme `http://example.org`. */
  readonly place: string;
}

/** Most characters; a longer text is a mistake. */
const LENGTH = 2000;

/** Reason why a text is rejected, without repeating any of it; null where it is valid. */
export function httpAuthFault(text: string): string | null {
  const auth = splitHttpAuth(text);
  if (auth === null) return 'it must be written user:password@host; the password goes up to the last @';
  // oxlint-disable-next-line no-control-regex -- RFC 7617 section 2 forbids them
  if (/[\x00-\x1f\x7f]/.test(`${auth.user}${auth.password}`)) return 'it holds a control character';
  const url = placeUrl(auth.place);
  if (url === null || webOrigin(url.href) === null) return 'what stands behind the last @ is no host';
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isBare ? null : 'behind the last @ stand a host and perhaps a port, and no path';
}

/** Host part of a text, for crawl.json and messages. */
export function httpAuthPlace(text: string): string {
  return text.slice(text.lastIndexOf('@') + 1);
}

/** Secrets that no log or message may repeat: passwords, and the header values made of them. */
export function httpAuthSecrets(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const auth = splitHttpAuth(text);
    return auth === null ? [] : [auth.password, basicOf(auth)];
  });
}

/**
 * Header of each text, bound to the origins of its host. A host without a scheme takes the origins of the seeds on that host, or else
 * https: a link can never make the crawler send a site's password without TLS.
 * @param texts without a {@link httpAuthFault}
 */
export function httpAuthHeaders(texts: readonly string[], seeds: readonly string[]): UserHeaders {
  return texts.flatMap((text) => {
    const auth = splitHttpAuth(text);
    if (auth === null) return [];
    const headers = { Authorization: `Basic ${basicOf(auth)}` };
    // browsers send a password only where a script gives no Authorization of its own
    return [{ headers, origins: new Set(originsOf(auth.place, seeds)), yields: true }];
  });
}

function originsOf(place: string, seeds: readonly string[]): readonly string[] {
  if (place.includes('://')) return [webOrigin(place) ?? ''];
  const wanted = placeUrl(place);
  const isWanted = (seed: URL): boolean =>
    /:\d+$/.test(place)
      ? seedPort(seed) === placePort(place) && seed.hostname === wanted?.hostname
      : seed.hostname === wanted?.hostname;
  const named = seeds.flatMap((seed) => {
    const url = parsedUrl(seed);
    return url !== null && isWanted(url) ? (webOrigin(seed) ?? []) : [];
  });
  return named.length > 0 ? named : [webOrigin(`https://${place}`) ?? ''];
}

function seedPort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function placePort(place: string): number {
  return Number(place.slice(place.lastIndexOf(':') + 1));
}

function placeUrl(place: string): URL | null {
  return /[\s\\]/.test(place) ? null : parsedUrl(place.includes('://') ? place : `https://${place}`);
}

function splitHttpAuth(text: string): HttpAuth | null {
  if (text.length > LENGTH) return null;
  const at = text.lastIndexOf('@');
  const colon = text.indexOf(':');
  if (colon < 1 || at < colon || at === text.length - 1) return null;
  return { user: text.slice(0, colon), password: text.slice(colon + 1, at), place: text.slice(at + 1) };
}

function basicOf({ user, password }: HttpAuth): string {
  return Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
}
