/**
 * Addresses with hosts in several parts of a crawl: names on one server may belong to several domains. Visits on such an address keep the same
 * distance as within one part. Each part decides by its own record of the address, and is told of the other parts' visits before they begin: a lease
 * whose process is killed before that has begun no visit. Only the leader leases, one part after the other.
 */
import { LruMap } from '../../base/lru-map.ts';
import type { EpochMs } from '../../base/units.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import type { AddressAnswer } from '../frontier.ts';
import { ADDRESS_TIMES, NOTE_ADDRESS } from '../part-scripts.ts';
import type { Part, Parts } from './part.ts';

/** Most addresses whose parts are remembered (arbitrary). */
const REMEMBERED = 100_000;

export class SharedAddresses {
  readonly #parts: Parts;
  /** Cache of Redis: parts by address. */
  readonly #known = new LruMap<string, readonly number[]>(REMEMBERED);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Stores the answer to a look-up. */
  async resolved(host: HostKey, answer: AddressAnswer, now: EpochMs): Promise<void> {
    const part = this.#parts.ofHost(host);
    if (answer.kind === 'address') await this.#join(part, answer.address);
    await part.frontier.resolved(host, answer, now);
  }

  /** Called before a part's first host gets the address: informs the part of the others' past visits there, and of all later ones. */
  async #join(part: Part, address: string): Promise<void> {
    if (this.#known.get(address)?.includes(part.number) === true) return;
    const others = (await this.#note(address, part.number)).filter((number) => number !== part.number);
    for (const number of others) {
      const other = this.#parts.at(number);
      const times = await ADDRESS_TIMES.run(other.client, other.keys, { address });
      await part.leader.bookAddress(part.client, part.keys, { address, ...times });
    }
  }

  /** Tells all other parts of visits that are about to begin. @throws {CrawlError} CRAWL_LED: then none of the visits may begin */
  async tellOthers(from: Part, addresses: readonly string[]): Promise<void> {
    for (const address of new Set(addresses)) {
      if (address === '') continue;
      const parts = this.#known.get(address) ?? (await this.#note(address, null));
      const others = parts.filter((number) => number !== from.number).map((number) => this.#parts.at(number));
      if (others.length === 0) continue;
      const times = await ADDRESS_TIMES.run(from.client, from.keys, { address });
      await Promise.all(
        others.map((other) => other.leader.bookAddress(other.client, other.keys, { address, ...times })),
      );
    }
  }

  /** @returns the parts with hosts there, including the given one */
  async #note(address: string, part: number | null): Promise<readonly number[]> {
    const owner = this.#parts.ofUrl(address);
    const parts = await NOTE_ADDRESS.run(owner.client, owner.keys, { address, part: part ?? '' });
    this.#known.set(address, parts);
    return parts;
  }
}
