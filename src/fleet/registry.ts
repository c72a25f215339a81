/** The workers of a crawl: each enters itself, raises its heartbeat, and takes itself out when it leaves. */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { FLEET_NAMESPACE } from './keys.ts';
import { TELL } from './tell.ts';

/** What a worker says of itself, anew with each heartbeat. */
export interface Registration {
  readonly id: string;
  /** For people: the machine and the process. */
  readonly name: string;
  /** Visits that it makes at a time; 0 while it leaves. */
  readonly slots: number;
  /** Rises with each heartbeat. */
  readonly beat: number;
  /** Epoch milliseconds, by its own clock. */
  readonly since: number;
  readonly version: string;
  /** The local address that it goes out by; empty where it does not say that. */
  readonly egress: string;
  /** Changes of the change log that it has heard of, and acted on. */
  readonly heard: number;
}

const registration = z.object({
  name: z.string().max(200),
  slots: z.int().min(0).max(10_000),
  beat: z.int().min(0),
  since: z.number(),
  version: z.string().max(40),
  egress: z.string().max(45),
  heard: z.int().min(0),
});

/** Names a worker in keys: letters, digits, hyphens. */
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

  /** All that are entered, the dead included; what cannot be read is left out. */
  async list(): Promise<readonly Registration[]> {
    const entries = Object.entries(await this.#client.hgetall(this.#key));
    return entries.flatMap(([id, text]) => {
      const read = registration.safeParse(parsedJson(text));
      return read.success && WORKER_ID.test(id) ? [{ id, ...read.data }] : [];
    });
  }
}
