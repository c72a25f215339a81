import type { RedisClient } from '../redis/client.ts';
import type { leaderScripts } from './leader-scripts.ts';
import type { KnownUrls } from './url-groups.ts';

/** A frontier in Redis, or a part of one: the keys of one hash tag, and this process's knowledge of it. */
export interface FrontierState {
  readonly client: RedisClient;
  readonly keys: { readonly meta: string };
  readonly leader: ReturnType<typeof leaderScripts>;
  readonly known: KnownUrls;
}

/** Full name of another key of the frontier. */
export function stateKey({ keys }: Pick<FrontierState, 'keys'>, name: string): string {
  return keys.meta.slice(0, -'meta'.length) + name;
}
