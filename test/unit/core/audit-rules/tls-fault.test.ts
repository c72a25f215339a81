import { describe, expect, it } from 'vitest';
import { tlsFaultOf } from '../../../../src/core/audit-rules/tls-fault.ts';

describe('what is wrong with the TLS of a host', () => {
  it.each([
    // messages from crawls of such servers (Node 20, Chromium 156)
    ['robots.txt: certificate has expired', 'expired'],
    ['net::ERR_CERT_DATE_INVALID', 'expired'],
    ['certificate is not yet valid', 'not-yet-valid'],
    [
      "robots.txt: Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:other.example",
      'other-name',
    ],
    ['net::ERR_CERT_COMMON_NAME_INVALID', 'other-name'],
    ['robots.txt: self-signed certificate', 'self-signed'],
    ['self-signed certificate in certificate chain', 'unknown-issuer'],
    ['robots.txt: unable to verify the first certificate', 'unknown-issuer'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'unknown-issuer'],
    ['robots.txt: the TLS handshake failed (tlsv1 alert protocol version)', 'old-version'],
    ['net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH', 'old-version'],
    ['the TLS handshake failed (wrong version number)', 'no-tls'],
    ['the TLS handshake failed (packet length too long)', 'no-tls'],
    ['TLS: certificate has expired', 'expired'],
    ['connect ECONNREFUSED 192.0.2.1:443', null],
    ['the TLS handshake did not end in time', null],
    [null, null],
  ])('is read of %j: %s', (detail, fault) => {
    expect(tlsFaultOf(detail)).toBe(fault);
  });
});
