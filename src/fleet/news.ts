/**
 * Messages of workers to the controller: that one has joined, finished visits, and notes for the user. They only speed up what the controller
 * finds out by itself: it looks for workers each second, and a visit whose lease is not out any more has finished.
 */
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { listOf, replyText } from '../redis/reply.ts';
import { FLEET_NAMESPACE } from './keys.ts';
import { TELL } from './tell.ts';

/** A finished visit, a worker that has joined, or a note. */
type News =
  | { readonly finished: number }
  | { readonly joined: true }
  | { readonly note: string; readonly worker: string };

const news: z.ZodType<News> = z.union([
  z.object({ finished: z.int().min(0) }),
  z.object({ joined: z.literal(true) }),
  z.object({ note: z.string().max(2000), worker: z.string().max(200) }),
]);

/** News per reply (arbitrary). */
const AT_A_TIME = 200;
/** Longest wait for a reply, in seconds: an end of the crawl is noticed by then. */
const BLOCKS_FOR = 1;

export class NewsList {
  readonly #client: RedisClient;
  readonly #key: string;
  readonly #controller: string;

  /** @param client must be a separate connection where news are awaited, because waiting blocks it */
  constructor(client: RedisClient, keys: KeySpace) {
    this.#client = client;
    this.#controller = keys.key(FLEET_NAMESPACE, 'controller');
    this.#key = keys.key(FLEET_NAMESPACE, 'news');
  }

  async tell(item: News): Promise<void> {
    const names = { controller: this.#controller, target: this.#key };
    await TELL.run(this.#client, names, { text: JSON.stringify(item), worker: '' });
  }

  /** Waits for news, at most one second; unreadable news are left out. */
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

  /** Ends the wait: `next` rejects, and its connection is closed. */
  stop(): void {
    this.#client.disconnect();
  }

  /** Deletes news for the predecessor of a new controller. */
  async clear(): Promise<void> {
    await this.#client.del(this.#key);
  }
}

/** Is it the error of a server to waiting clients when another server of its cluster takes its place? */
function isUnblocked(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('UNBLOCKED');
}
