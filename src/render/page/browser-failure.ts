/** The cause of a missing answer, from the errors of Chromium and the egress proxy. */
import type { NetworkFailure } from '../../model/visit-outcome.ts';

/** net::ERR_ names, first match counts (chromium/net/base/net_error_list.h). */
const BY_NAME: readonly (readonly [pattern: RegExp, failure: NetworkFailure])[] = [
  [/^(NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_|ICANN_NAME_COLLISION)/, 'dns'],
  [/^UNEXPECTED_PROXY_AUTH/, 'bad-response'],
  [/^(PROXY_|TUNNEL_|SOCKS_|MANDATORY_PROXY)/, 'proxy'],
  [/^(CONNECTION_REFUSED|CONNECTION_FAILED|ADDRESS_UNREACHABLE|ADDRESS_INVALID|INTERNET_DISCONNECTED)/, 'refused'],
  [/^(CERT_|SSL_|BAD_SSL|ECH_|CERTIFICATE_TRANSPARENCY)/, 'tls'],
  [/(TIMED_OUT|TIMEOUT)$/, 'timeout'],
  [
    /^(CONNECTION_RESET|CONNECTION_CLOSED|CONNECTION_ABORTED|EMPTY_RESPONSE|SOCKET_|HTTP2_|QUIC_|NETWORK_CHANGED)/,
    'reset',
  ],
  [
    /^(INVALID_HTTP_RESPONSE|INVALID_RESPONSE|RESPONSE_|CONTENT_|INVALID_REDIRECT|UNSAFE_REDIRECT|INCOMPLETE_)/,
    'bad-response',
  ],
];

/** @param errorText as `Page.navigate` gives it: `net::ERR_CONNECTION_REFUSED` */
export function failureOfErrorText(errorText: string): NetworkFailure {
  const name = errorText.replace(/^net::ERR_/, '');
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}
