import { tlsFaultOf } from '../../core/audit-rules/tls-fault.ts';
import type { Tally } from './tally.ts';

/** The note for sites whose certificates come from an authority that is not known here, as companies have one of their own; null elsewhere. */
export function issuerNote(failures: Tally['failures']): string | null {
  const failure = failures.find(({ why }) => /^(?:unknown-issuer|self-signed)$/.test(tlsFaultOf(why) ?? ''));
  if (failure === undefined) return null;
  // the browser has authorities of its own
  if (failure.why.includes('ERR_CERT_'))
    return 'the browser does not know who vouches for a certificate: with NODE_EXTRA_CA_CERTS=<file> and --snapshot html,text,warc the program verifies it in the place of the browser';
  return `${new URL(failure.url).origin} has a certificate that nobody known here vouches for: NODE_EXTRA_CA_CERTS=<file> names the authority of a company`;
}
