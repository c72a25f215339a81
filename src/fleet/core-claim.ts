/**
 * The claims of processes that render on the cores that they share. A browser takes seconds of processor time to start and to warm up; once
 * each core has one, a further browser makes no page sooner. So the process that would start it waits until another one has gone.
 */
import type { Clock } from '../base/clock.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { BEAT_EVERY, SILENCE } from '../core/fleet/liveness.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { yesOrNo } from '../redis/reply.ts';
import { FLEET_NAMESPACE } from './keys.ts';

const CLAIM: LuaScript<'controller' | 'claims', 'processors' | 'holder' | 'cores' | 'term', boolean> = luaScript(
  new URL('./lua/claim-core.lua', import.meta.url),
  { keys: ['controller', 'claims'], args: ['processors', 'holder', 'cores', 'term'], reply: yesOrNo },
);

/** A claim that is not renewed for so long runs out: its process counts as dead by then. */
const TERM: Milliseconds = milliseconds(SILENCE + BEAT_EVERY);

export interface ClaimNeeds {
  readonly client: RedisClient;
  readonly keys: KeySpace;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Name of the processors that the process shares with others: {@link MachineGrant.processors}. */
  readonly processors: string;
  /** Name of the process, unique in the crawl. */
  readonly holder: string;
}

/**
 * Claims a core of the processors, until the claim is disposed of.
 * @param cores of the processors, at least 1; null: claims in any case, so that others know of this process
 * @returns null where other processes have claimed all of them, or nobody leads the crawl
 */
export async function claimCore(needs: ClaimNeeds, cores: number | null): Promise<CoreClaim | null> {
  return (await renew(needs, cores)) ? new CoreClaim(needs) : null;
}

export class CoreClaim implements AsyncDisposable {
  readonly #needs: ClaimNeeds;
  readonly #closing = new AbortController();
  readonly #renewing: Promise<void>;

  constructor(needs: ClaimNeeds) {
    this.#needs = needs;
    this.#renewing = this.#renewAlways(this.#closing.signal);
  }

  async #renewAlways(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#needs.clock.sleep(BEAT_EVERY, signal).catch(() => {});
      if (signal.aborted) return;
      // a claim that is lost for a while costs at most a browser too many
      await renew(this.#needs, null).catch(() => false);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keys } = this.#needs;
    this.#closing.abort();
    await this.#renewing;
    // what is not removed runs out
    await client.zrem(claimsKey(keys), memberOf(this.#needs)).catch(() => 0);
  }
}

function renew(needs: ClaimNeeds, cores: number | null): Promise<boolean> {
  const { client, keys, processors, holder } = needs;
  const names = { controller: keys.key(FLEET_NAMESPACE, 'controller'), claims: claimsKey(keys) };
  return CLAIM.run(client, names, { processors, holder, cores: cores ?? -1, term: TERM });
}

const claimsKey = (keys: KeySpace): string => keys.key(FLEET_NAMESPACE, 'claims');

/** As the script writes it. */
const memberOf = ({ processors, holder }: ClaimNeeds): string => `${processors} ${holder}`;
