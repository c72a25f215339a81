/** What a crawl is signed in with. The contexts of such a domain begin with it, and what its pages store afterwards is kept. */
import type { StorageState } from '../../browsers/protocol/storage-state.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';

export interface SignIns {
  /** Null where the crawl is not signed in there. */
  stateOf(domain: RegistrableDomain): StorageState | null;
  /** Takes what the domain has stored by now: sites give new tokens for old ones, and refuse the old ones then. */
  keep(domain: RegistrableDomain, state: StorageState): void;
}

/** Nobody is signed in anywhere. */
export const NO_SIGN_INS: SignIns = { stateOf: () => null, keep: () => {} };
