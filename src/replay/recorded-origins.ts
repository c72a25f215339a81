/**
 * The origins of a recorded site, each under its own name on loopback: `https://www.example.org` becomes `http://www.example-org.localhost:4000`.
 * Origins of one registrable domain still share one, and others do not.
 */
import { isUtf8 } from 'node:buffer';
import { domainToASCII } from 'node:url';
import { canonicalUrl } from '../model/url/canonical-url.ts';
import { registrableDomainOf } from '../model/url/host-key.ts';
import { parsedUrl } from '../base/parsed-url.ts';

export interface RecordedOrigins {
  /** The recorded origin of a requested host (`www.example-org.localhost:4000`); null where the name serves none. */
  originOf(host: string): string | null;
  /** Served address of a recorded URL; null where its origin was not recorded. */
  servedUrl(url: string): string | null;
  /** Replaces all addresses of recorded origins in a text by served ones. */
  served(text: string): string;
  /** The same for a Content-Security-Policy, whose sources name hosts without a scheme, groups of hosts, and schemes alone. */
  servedPolicy(policy: string): string;
  /** Replaces all served addresses and names in what a page asks for by recorded ones. */
  recorded(text: string): string;
  /** Recorded origins, and their served origins. */
  readonly all: ReadonlyMap<string, string>;
}

/**
 * Matches an address in any text: its scheme if it has one, slashes that scripts or templates may have escaped, host and port. Without a
 * scheme it must be at a place where an address can begin, such as the start of a `Location`. Texts are bytes, and a host may have
 * letters beyond ASCII.
 */
const ADDRESS =
  /(?:(https?:)|(?<=^|["'`(=<\s,]))((?:\\?\/|\\u002f|&#x2f;|&#47;){2})([a-z0-9\x80-\xff][a-z0-9.\x80-\xff-]*(?::\d{1,5})?)/gi;
/**
 * Matches a served name in what a page asks for, with scheme and port or without: scripts pass on their own address (`location.href`, `.host`,
 * `.hostname`), and encode it as often as the addresses that they put it into.
 */
const SERVED =
  /(?:(?:(https?)(:|%(?:25){0,3}3a))?((?:\\?\/|\\u002f|%(?:25){0,3}2f){2})|(?<![a-z0-9.-]))([a-z0-9.-]{1,253}\.localhost)(?![a-z0-9-]|\.[a-z0-9])(?:(:|%(?:25){0,3}3a)(\d{1,5}))?/gi;
const ASCII_HOST = /^[a-z0-9][a-z0-9.-]*(?::\d{1,5})?/i;

/** @param origins as in URLs: `https://example.org`, without a default port */
export function recordedOrigins(origins: readonly string[], port: number): RecordedOrigins {
  const all = new Map<string, string>();
  const byHost = new Map<string, string>();
  for (const origin of origins) {
    const host = `${freeName(origin, byHost, port)}.localhost:${port}`;
    byHost.set(host, origin);
    all.set(origin, `http://${host}`);
  }
  const places = [...all].flatMap(([origin, served]) => {
    const url = parsedUrl(origin);
    return url === null ? [] : [{ url, served }];
  });
  const hostOf = (origin: string): string | undefined => all.get(origin)?.slice('http://'.length);
  return {
    all,
    originOf: (host) => byHost.get(host.toLowerCase()) ?? null,
    servedUrl: (url) => {
      const parsed = parsedUrl(url);
      const served = parsed === null ? undefined : all.get(parsed.origin);
      return parsed === null || served === undefined ? null : url.replace(/^https?:\/\/[^/?#]*/i, served);
    },
    served: (text) =>
      text.replace(ADDRESS, (whole: string, scheme: string | undefined, slashes: string, host: string) => {
        const schemes = scheme === undefined ? ['https:', 'http:'] : [scheme.toLowerCase()];
        const start = `${scheme === undefined ? '' : 'http:'}${slashes}`;
        for (const { name, rest } of namesIn(host)) {
          const known = schemes.map((each) => hostOf(`${each}//${usual(each, name)}`)).find(Boolean);
          if (known !== undefined) return `${start}${known}${rest}`;
        }
        return whole;
      }),
    servedPolicy: (policy) => policy.replace(/[^\s;,]+/g, (source) => servedSource(source, places, port)),
    recorded: (text) => text.replace(SERVED, (...parts: readonly string[]) => recordedName(parts, byHost, port)),
  };
}

/** @param parts of a match of {@link SERVED} */
function recordedName(
  [whole = '', scheme, colon = '', slashes = '', host = '', portColon, ownPort]: readonly (string | undefined)[],
  byHost: ReadonlyMap<string, string>,
  port: number,
): string {
  const url = parsedUrl(byHost.get(`${host.toLowerCase()}:${ownPort ?? port}`) ?? '');
  if (url === null) return whole;
  const start = scheme === undefined ? '' : `${url.protocol.slice(0, -1)}${colon}`;
  return `${start}${slashes}${url.hostname}${portColon === undefined || url.port === '' ? '' : `${portColon}${url.port}`}`;
}

/** A host source (Content Security Policy Level 3, section 2.3.1): scheme, host, port, path. A name of a directive looks like a host. */
const HOST_SOURCE = /^(?:(https?):\/\/)?((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d+|\*))?(\/.*)?$/i;
/** Most origins of one source that are named one by one: headers have limits (arbitrary). */
const SOURCE_LIMIT = 20;

/** A recorded origin, and its served one. */
interface ServedPlace {
  readonly url: URL;
  readonly served: string;
}

/** The served origins that a source of a policy means; the source itself where it means none that was recorded. */
function servedSource(source: string, places: readonly ServedPlace[], port: number): string {
  if (/^https:$/i.test(source)) return `${source} http:`;
  const [, scheme, host, wanted, path = ''] = HOST_SOURCE.exec(source) ?? [];
  if (host === undefined) return source;
  const meant = places
    .filter(({ url }) => isMeant(url, { scheme, host, port: wanted }))
    .map(({ served }) => `${served}${path}`);
  if (meant.length > SOURCE_LIMIT) return `http://*.localhost:${port}`;
  return meant.length === 0 ? source : meant.join(' ');
}

interface HostSource {
  readonly scheme: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
}

function isMeant({ protocol, hostname, port }: URL, source: HostSource): boolean {
  // http also means https
  if (source.scheme?.toLowerCase() === 'https' && protocol !== 'https:') return false;
  const host = source.host.toLowerCase();
  if (host.startsWith('*.') ? !hostname.endsWith(host.slice(1)) : hostname !== host) return false;
  const own = port === '' ? usualPort(protocol) : port;
  return source.port === '*' || (source.port ?? usualPort(protocol)) === own;
}

function usualPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}

/** Longest host whose letters are read, in bytes: names of 253 characters. */
const LONGEST = 1000;

/** What the bytes of a host may mean: an international name, or an ASCII one with letters of the text behind it. */
function namesIn(host: string): readonly { readonly name: string; readonly rest: string }[] {
  const [ascii = ''] = ASCII_HOST.exec(host) ?? [];
  const alone = { name: ascii.toLowerCase(), rest: host.slice(ascii.length) };
  if (alone.rest === '' || host.length > LONGEST) return [alone];
  const bytes = Buffer.from(host, 'latin1');
  const [name = '', port] = (isUtf8(bytes) ? bytes.toString() : host).split(':');
  return [{ name: `${domainToASCII(name)}${port === undefined ? '' : `:${port}`}`, rest: '' }, alone];
}

/** Host without its scheme's default port. */
function usual(scheme: string, host: string): string {
  return host.replace(scheme === 'https:' ? /:443$/ : /:80$/, '');
}

function freeName(origin: string, taken: ReadonlyMap<string, string>, port: number): string {
  const name = nameOf(origin);
  const isFree = (text: string): boolean => !taken.has(`${text}.localhost:${port}`);
  if (isFree(name)) return name;
  const [scheme = '', , host = ''] = origin.split('/');
  // the same host with another scheme or port, for example where http redirects to https
  const apart = `${scheme.replace(':', '')}${/:(\d+)$/.exec(host)?.[1] ?? ''}.${name}`;
  return isFree(apart) ? apart : `x${taken.size}.${apart}`;
}

/** Name for an origin: the labels before its registrable domain are kept, and the domain becomes one label. */
function nameOf(origin: string): string {
  const url = canonicalUrl(`${origin}/`);
  const host = parsedUrl(origin)?.hostname.toLowerCase() ?? '';
  const domain = url === null ? host : registrableDomainOf(url).replace(/:\d+$/, '');
  const before = host.endsWith(`.${domain}`) ? host.slice(0, -domain.length) : '';
  const label = (host.endsWith(domain) ? domain : host).replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return `${before}${label === '' ? 'site' : label}`;
}
