/** The memory of an archive while it grows: payloads that need not be stored again, and the answers of documents. */
import { LruMap } from '../base/lru-map.ts';
import type { EpochMs } from '../base/units.ts';
import { REVISIT_MIME, type StoredIndexLine } from './cdxj-line.ts';
import type { FiledPlace } from './warc-files.ts';

/** The answer that a revisit refers to. */
export interface KnownPayload {
  readonly url: string;
  readonly date: EpochMs;
  /** Labelled. */
  readonly digest: string;
}

/** An answer to a GET, stored or being stored. */
export interface KnownAnswer {
  readonly recordId: string;
  readonly startedAt: EpochMs;
  readonly place: Promise<FiledPlace>;
}

/** Some 250 bytes each. */
const PAYLOAD_LIMIT = 100_000;
/** A page finds its document among those that ended since: pages of a thousand parts, dozens at a time. */
const ANSWER_LIMIT = 20_000;
/**
 * A revisit record is some 150 bytes longer, packed, than a response without its payload: below this it saves nothing.
 */
const LEAST_REVISITED = 512;

export class KnownPayloads {
  readonly #payloads = new LruMap<string, KnownPayload>(PAYLOAD_LIMIT);
  /** The last whole answer of each URL, to which a 304 refers. */
  readonly #whole = new LruMap<string, KnownPayload>(ANSWER_LIMIT);
  readonly #answers = new LruMap<string, KnownAnswer>(ANSWER_LIMIT);

  /** An earlier answer of the same status with the same payload; none where that is too short to be worth it. */
  same(digest: string, status: number, size: number): KnownPayload | null {
    return size < LEAST_REVISITED ? null : (this.#payloads.get(`${status} ${digest}`) ?? null);
  }

  notePayload(payload: KnownPayload, status: number, size: number): void {
    if (size >= LEAST_REVISITED) this.#payloads.set(`${status} ${payload.digest}`, payload);
    if (status === 200) this.#whole.set(payload.url, payload);
  }

  /** From the journal of a crawl that goes on, which does not say how large a payload was. */
  noteIndexed({ mime, status, digest, url, date, method }: StoredIndexLine): void {
    if (mime === REVISIT_MIME || status === null || digest === null || method !== undefined) return;
    this.notePayload({ url, date, digest }, status, Number.POSITIVE_INFINITY);
  }

  whole(url: string): KnownPayload | null {
    return this.#whole.get(url) ?? null;
  }

  noteAnswer(url: string, answer: KnownAnswer): void {
    this.#answers.set(url, answer);
  }

  answer(url: string): KnownAnswer | null {
    return this.#answers.get(url) ?? null;
  }
}
