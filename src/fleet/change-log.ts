/**
 * A log of facts that every process of a crawl must know before it judges a link, in order of discovery: each process appends its findings, and reads
 * from where it stopped. The log is part of the crawl's state, so a process that joins, or resumes, knows all of it.
 */
import { randomUUID } from 'node:crypto';
import { parsedJson } from '../base/safe-json.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { FLEET_NAMESPACE } from './keys.ts';

export class ChangeLog {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #writer: string;
  #read = 0;
  /** Serialises looks: two at a time would apply the same entries. */
  #looking: Promise<void> = Promise.resolve();

  /** @param writer identifies this process among all that ever wrote to the log */
  constructor(client: RedisClient, keys: KeySpace, writer: string) {
    this.#client = client;
    this.#key = keys.key(FLEET_NAMESPACE, 'book');
    this.#writer = writer;
  }

  /** Number of entries that looks have passed on, or that this process wrote. */
  get read(): number {
    return this.#read;
  }

  /** Number of all entries. */
  async length(): Promise<number> {
    return this.#client.llen(this.#key);
  }

  async append(changes: readonly object[]): Promise<void> {
    if (changes.length === 0) return;
    const texts = changes.map((change) => JSON.stringify({ by: this.#writer, change }));
    await this.#client.rpush(this.#key, ...texts);
  }

  /** Passes on the entries that others appended since the last look, each once, in order. */
  async look(apply: (change: unknown) => void): Promise<void> {
    const look = this.#looking.then(async () => {
      const texts = await this.#client.lrange(this.#key, this.#read, -1);
      this.#read += texts.length;
      for (const text of texts) {
        const entry = parsedJson(text);
        if (isEntry(entry) && entry.by !== this.#writer) apply(entry.change);
      }
    });
    this.#looking = look.catch(() => {});
    await look;
  }
}

/** The log of a crawl, for one process. */
export function openChangeLog(client: RedisClient, keys: KeySpace): ChangeLog {
  return new ChangeLog(client, keys, randomUUID());
}

function isEntry(value: unknown): value is { readonly by: unknown; readonly change: unknown } {
  return typeof value === 'object' && value !== null && 'by' in value && 'change' in value;
}
