/**
 * The origins of a recorded site, each under its own name on loopback: `https://www.example.org` becomes `http://www.example-org.localhost:4000`.
 * Origins of one registrable domain still share one, and others do not.
 */
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
  /** Replaces all served addresses in a text by recorded ones. */
  recorded(text: string): string;
  /** Recorded origins, and their served origins. */
  readonly all: ReadonlyMap<string, string>;
}

/**
 * Matches an address in any text: its scheme if it has one, slashes that scripts may have escaped, host and port. Without a scheme it
 * must be at a place where an address can begin.
 */
const ADDRESS = /(?:(https?:)|(?<=["'(=\s,]))(\\?\/\\?\/)([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)/gi;

/** @param origins as in URLs: `https://example.org`, without a default port */
export function recordedOrigins(origins: readonly string[], port: number): RecordedOrigins {
  const all = new Map<string, string>();
  const byHost = new Map<string, string>();
  for (const origin of origins) {
    const host = `${freeName(origin, byHost, port)}.localhost:${port}`;
    byHost.set(host, origin);
    all.set(origin, `http://${host}`);
  }
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
        const known = schemes.map((each) => hostOf(`${each}//${usual(each, host.toLowerCase())}`)).find(Boolean);
        if (known === undefined) return whole;
        return `${scheme === undefined ? '' : 'http:'}${slashes}${known}`;
      }),
    recorded: (text) =>
      text.replace(ADDRESS, (whole: string, scheme: string | undefined, slashes: string, host: string) => {
        const origin = byHost.get(host.toLowerCase());
        if (origin === undefined) return whole;
        const [own = '', , name = ''] = origin.split('/');
        return `${scheme === undefined ? '' : own}${slashes}${name}`;
      }),
  };
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
