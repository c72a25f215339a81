/** The storage that a crawl is signed in with. The contexts of such a domain begin with it, and its pages' later storage is kept. */
import type { StorageState } from '../../browsers/protocol/storage-state.ts';
import type { RegistrableDomain } from '../model/url/host-key.ts';

export interface SignIns {
  /** Domains whose state the browser is to take before anything is fetched; left out: none. */
  readonly tried?: readonly RegistrableDomain[];
  /** Null where the crawl is not signed in there. */
  stateOf(domain: RegistrableDomain): StorageState | null;
  /** Takes the present storage of the domain: sites give new tokens for old ones, and then refuse the old ones. */
  keep(domain: RegistrableDomain, state: StorageState): void;
}

/** For a crawl that is signed in nowhere. */
export const NO_SIGN_INS: SignIns = { stateOf: () => null, keep: () => {} };
