/** The workers of a crawl: each adds itself, raises its heartbeat, and removes itself when it leaves. */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { FLEET_NAMESPACE } from './keys.ts';
import { TELL } from './tell.ts';

/** A worker's report about itself, renewed with each heartbeat. */
export interface Registration {
  readonly id: string;
  /** Name for people: the machine and the process. */
  readonly name: string;
  /** Number of concurrent visits; 0 while it leaves. */
  readonly slots: number;
  /** Rises with each heartbeat. */
  readonly beat: number;
  /** Time of its start in epoch milliseconds, by its own clock. */
  readonly since: number;
  readonly version: string;
  /** The local address that it goes out by; empty where it reports none. */
  readonly egress: string;
  /** Number of entries of the change log that it has read and applied. */
  readonly heard: number;
  /** Does it keep files of the crawl on its own disk? Left out: no. */
  readonly keepsFiles?: boolean | undefined;
}

const registration = z.object({
  name: z.string().max(200),
  slots: z.int().min(0).max(10_000),
  beat: z.int().min(0),
  since: z.number(),
  version: z.string().max(40),
  egress: z.string().max(45),
  heard: z.int().min(0),
  keepsFiles: z.boolean().optional(),
});

/** Form of a worker's id in keys: letters, digits, hyphens. */
const WORKER_ID = /^[a-z0-9-]{1,40}$/;

export class WorkerRegistry {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #controller: string;

  constructor(client: RedisClient, keys: KeySpace) {
    this.#client = client;
    this.#controller = keys.key(FLEET_NAMESPACE, 'controller');
    this.#key = keys.key(FLEET_NAMESPACE, 'workers');
  }

  /** @returns false where the crawl is gone */
  enter({ id, ...about }: Registration): Promise<boolean> {
    const names = { controller: this.#controller, target: this.#key };
    return TELL.run(this.#client, names, { text: JSON.stringify(about), worker: id });
  }

  async leave(id: string): Promise<void> {
    await this.#client.hdel(this.#key, id);
  }

  /** All registered workers, including dead ones; unreadable entries are left out. */
  async list(): Promise<readonly Registration[]> {
    const entries = Object.entries(await this.#client.hgetall(this.#key));
    return entries.flatMap(([id, text]) => {
      const read = registration.safeParse(parsedJson(text));
      return read.success && WORKER_ID.test(id) ? [{ id, ...read.data }] : [];
    });
  }
}
