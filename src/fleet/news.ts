/**
 * What workers tell the controller: visits that they have finished, and notes for the user. It only hastens what the controller finds out by itself:
 * a visit whose lease is not out any more has finished.
 */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { listOf, replyText } from '../redis/reply.ts';
import { FLEET_NAMESPACE } from './keys.ts';
import { TELL } from './tell.ts';

/** A visit that has finished, or a note. */
type News = { readonly finished: number } | { readonly note: string; readonly worker: string };

const news: z.ZodType<News> = z.union([
  z.object({ finished: z.int().min(0) }),
  z.object({ note: z.string().max(2000), worker: z.string().max(200) }),
]);

/** News in one reply (arbitrary). */
const AT_A_TIME = 200;
/** How long a reply is waited for, in seconds: an end is noticed by then. */
const BLOCKS_FOR = 1;

export class NewsList {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #controller: string;

  /** @param client of its own where news are awaited: it waits for them, and for nothing else */
  constructor(client: RedisClient, keys: KeySpace) {
    this.#client = client;
    this.#controller = keys.key(FLEET_NAMESPACE, 'controller');
    this.#key = keys.key(FLEET_NAMESPACE, 'news');
  }

  async tell(item: News): Promise<void> {
    const names = { controller: this.#controller, target: this.#key };
    await TELL.run(this.#client, names, { text: JSON.stringify(item), worker: '' });
  }

  /** Waits for news, for a second at the most; what cannot be read is left out. */
  async next(): Promise<readonly News[]> {
    const asked = this.#client.blmpop(BLOCKS_FOR, 1, this.#key, 'LEFT', 'COUNT', AT_A_TIME);
    const reply: unknown = await asked.catch((error: unknown) => {
      if (isUnblocked(error)) return null;
      throw error;
    });
    if (reply === null) return [];
    const [, texts] = listOf(reply);
    return listOf(texts).flatMap((text) => {
      const read = news.safeParse(parsedJson(replyText(text)));
      return read.success ? [read.data] : [];
    });
  }

  /** Ends the waiting: `next` rejects, and its connection is closed. */
  stop(): void {
    this.#client.disconnect();
  }

  /** For a new controller: what its predecessor was told does not concern it. */
  async clear(): Promise<void> {
    await this.#client.del(this.#key);
  }
}

/** What a server says to those that wait while another one of its cluster takes its place. */
function isUnblocked(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('UNBLOCKED');
}
