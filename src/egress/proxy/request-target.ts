/** Reads the target of a client's request to the proxy. The host is read by the WHATWG parser, as everywhere else in the program. */
import { parsedUrl } from '../../base/parsed-url.ts';

export interface RequestTarget {
  readonly scheme: 'http' | 'https';
  readonly hostName: string;
  readonly port: number;
  /** Value of the Host header (RFC 9112 section 3.2.2). */
  readonly authority: string;
  /** Path and query as the client wrote them. */
  readonly path: string;
}

/** `http://host[:port]/path`; null for every other form and scheme, and where parsers could differ over the host. */
export function readAbsoluteForm(target: string): RequestTarget | null {
  const match = /^http:\/\/[^\s/?#\\@]+([/?][^#]*)?$/i.exec(target);
  const url = match === null ? null : parsedUrl(target);
  if (match === null || url === null) return null;
  const rest = match[1] ?? '/';
  return {
    scheme: 'http',
    hostName: url.hostname,
    port: url.port === '' ? 80 : Number(url.port),
    authority: url.host,
    path: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

/** Reads `host:port` of a CONNECT, the target of requests in TLS behind it; null where it is anything else. */
export function readAuthorityForm(target: string): RequestTarget | null {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\\[\]]+):(\d{1,5})$/.exec(target);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  const hostname = parsedUrl(`http://${match[1]}/`)?.hostname;
  if (hostname === undefined) return null;
  const port = Number(match[2]);
  return {
    scheme: 'https',
    hostName: hostname,
    port,
    authority: port === 443 ? hostname : `${hostname}:${port}`,
    path: '/',
  };
}

/** The target of a request that came within TLS: that of the CONNECT, whatever host the request names. */
export function readOriginForm(target: string, connected: RequestTarget): RequestTarget | null {
  return /^\/[^#]*$/.test(target) ? { ...connected, path: target } : null;
}
