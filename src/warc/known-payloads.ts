/** The memory of a growing archive: payloads that need not be stored again, and the answers of documents. */
import { LruMap } from '../base/lru-map.ts';
import type { EpochMs } from '../base/units.ts';
import { REVISIT_MIME, type StoredIndexLine } from './cdxj-line.ts';
import type { FiledPlace } from './warc-files.ts';

/** The answer that a revisit refers to. */
export interface KnownPayload {
  readonly url: string;
  readonly date: EpochMs;
  /** Digest with its algorithm's label. */
  readonly digest: string;
}

/** An answer to a GET, stored or being stored. */
export interface KnownAnswer {
  readonly recordId: string;
  readonly startedAt: EpochMs;
  readonly place: Promise<FiledPlace>;
}

/** Most payloads remembered, some 250 bytes each. */
const PAYLOAD_LIMIT = 100_000;
/** Most answers remembered: enough to find a page's document among dozens of pages with a thousand parts each. */
const ANSWER_LIMIT = 20_000;
/**
 * Least payload of a revisit: a packed revisit record is some 150 bytes longer than a response without payload, so below this it saves nothing.
 */
const LEAST_REVISITED = 512;

export class KnownPayloads {
  readonly #payloads = new LruMap<string, KnownPayload>(PAYLOAD_LIMIT);
  /** The last whole answer of each URL, for reference by a 304. */
  readonly #whole = new LruMap<string, KnownPayload>(ANSWER_LIMIT);
  readonly #answers = new LruMap<string, KnownAnswer>(ANSWER_LIMIT);

  /** An earlier answer with the same status and payload; null where the payload is too short to save space. */
  same(digest: string, status: number, size: number): KnownPayload | null {
    return size < LEAST_REVISITED ? null : (this.#payloads.get(`${status} ${digest}`) ?? null);
  }

  notePayload(payload: KnownPayload, status: number, size: number): void {
    if (size >= LEAST_REVISITED) this.#payloads.set(`${status} ${payload.digest}`, payload);
    if (status === 200) this.#whole.set(payload.url, payload);
  }

  /** Notes a payload from the journal of a resumed crawl, which does not contain its size. */
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
