/** Names the TLS fault of a host from the error text of a failed connection. */

/**
 * - `expired`, `not-yet-valid`: by the clock of this machine. `other-name`: the certificate is of another host.
 * - `self-signed`: no other party signed it. `unknown-issuer`: this machine does not know its issuer.
 * - `old-version`: no version or cipher in common. `no-tls`: the server there does not speak TLS.
 */
type TlsFault =
  | 'expired'
  | 'not-yet-valid'
  | 'other-name'
  | 'self-signed'
  | 'unknown-issuer'
  | 'revoked'
  | 'old-version'
  | 'no-tls';

/** Error texts of Node and OpenSSL (egress/tls/handshake.ts) and of Chromium; the first match counts. */
const BY_WORDS: readonly (readonly [words: RegExp, fault: TlsFault])[] = [
  [/\bcertificate has expired\b|\bCERT_HAS_EXPIRED\b|\bERR_CERT_DATE_INVALID\b/, 'expired'],
  [/\bcertificate is not yet valid\b|\bCERT_NOT_YET_VALID\b/, 'not-yet-valid'],
  [/\bdoes not match certificate's altnames\b|\bERR_CERT_COMMON_NAME_INVALID\b/, 'other-name'],
  [/\bself[- ]signed certificate in certificate chain\b/, 'unknown-issuer'],
  [/\bself[- ]signed certificate\b/, 'self-signed'],
  [
    /\bunable to verify the first certificate\b|\bunable to get (?:local )?issuer certificate\b|\bERR_CERT_AUTHORITY_INVALID\b/,
    'unknown-issuer',
  ],
  [/\bcertificate revoked\b|\bERR_CERT_REVOKED\b/, 'revoked'],
  [
    /\balert protocol version\b|\bunsupported protocol\b|\bERR_SSL_VERSION_OR_CIPHER_MISMATCH\b|\bERR_SSL_OBSOLETE_VERSION\b|\bno protocols available\b/,
    'old-version',
  ],
  [/\bwrong version number\b|\bpacket length too long\b|\bERR_SSL_PROTOCOL_ERROR\b/, 'no-tls'],
];

/** Null for other errors. @param detail of a failed visit or look */
export function tlsFaultOf(detail: string | null): TlsFault | null {
  if (detail === null) return null;
  return BY_WORDS.find(([words]) => words.test(detail))?.[1] ?? null;
}

const WORDS: Readonly<Record<TlsFault, string>> = {
  expired: 'its certificate has expired',
  'not-yet-valid': 'its certificate is not valid yet',
  'other-name': 'its certificate is of another name',
  'self-signed': 'its certificate is signed by nobody but itself',
  'unknown-issuer':
    'nobody whom this machine trusts vouches for its certificate, or a certificate in between is missing',
  revoked: 'its certificate was revoked',
  'old-version': 'it speaks only versions of TLS that browsers do not speak any more',
  'no-tls': 'what answers there does not speak TLS',
};

/** Words for a message, to follow the name of the host. */
export function tlsFaultWords(fault: TlsFault): string {
  return WORDS[fault];
}
