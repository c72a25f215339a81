/**
 * One controller at a time. Who leads a crawl has the last *epoch*, a rising number, and raises a heartbeat each second under it. A process takes the
 * next epoch where nobody leads, or where the heartbeat stood still for so long that its owner must be dead. A controller that finds another epoch, or
 * cannot raise its heartbeat, leases nothing more. No clocks are compared: each looks by its own.
 */
import type { Redis } from 'ioredis';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { SILENCE } from '../core/fleet/liveness.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import { FLEET_NAMESPACE } from './keys.ts';

/** Between two looks at the one that leads. */
const LOOK_EVERY: Milliseconds = milliseconds(250);

interface Leader {
  readonly epoch: number;
  readonly beat: number;
  readonly owner: string;
}

type Taken = { readonly kind: 'taken'; readonly epoch: number } | ({ readonly kind: 'led' } & Leader);

const TAKE: LuaScript<'controller', 'epoch' | 'beat' | 'owner', Taken> = luaScript(
  new URL('./lua/take-epoch.lua', import.meta.url),
  {
    keys: ['controller'],
    args: ['epoch', 'beat', 'owner'],
    reply: (raw) => {
      const [taken, epoch, beat, owner] = listOf(raw);
      if (taken === 1) return { kind: 'taken', epoch: wholeOf(epoch) };
      return { kind: 'led', epoch: wholeOf(epoch), beat: wholeOf(beat), owner: replyText(owner) };
    },
  },
);

const KEEP: LuaScript<'controller', 'epoch' | 'offset' | 'state', boolean> = luaScript(
  new URL('./lua/keep-epoch.lua', import.meta.url),
  { keys: ['controller'], args: ['epoch', 'offset', 'state'], reply: yesOrNo },
);

interface EpochNeeds {
  readonly client: Redis;
  readonly keys: KeySpace;
  readonly clock: Clock;
  /** Of this process, for people. */
  readonly owner: string;
}

export class Epoch {
  readonly #needs: EpochNeeds;
  readonly #number: number;

  constructor(needs: EpochNeeds, number: number) {
    this.#needs = needs;
    this.#number = number;
  }

  /** @returns false where another process leads the crawl now */
  beat(): Promise<boolean> {
    return this.#keep('running');
  }

  /** Lets others lead at once. */
  leave(): Promise<boolean> {
    return this.#keep('left');
  }

  async #keep(state: 'running' | 'left'): Promise<boolean> {
    const { client, keys, clock } = this.#needs;
    const offset = Math.round(clock.now() - (await serverTime(client)));
    return KEEP.run(client, controllerKey(keys), { epoch: this.#number, offset, state });
  }
}

/**
 * Takes the epoch.
 * @param patience `refuse`: where somebody leads and is alive, that is an error; `stand-by`: waits until nobody does
 * @throws {CrawlError} CRAWL_LED where another process leads the crawl; the signal's reason
 */
export async function takeEpoch(
  needs: EpochNeeds,
  patience: 'refuse' | 'stand-by',
  signal: AbortSignal,
): Promise<Epoch> {
  const { client, keys, clock, owner } = needs;
  let seen: Leader | null = null;
  let since = clock.monotonic();
  for (;;) {
    const isSilent = seen !== null && clock.monotonic() - since >= SILENCE;
    const known = isSilent && seen !== null ? { epoch: seen.epoch, beat: seen.beat } : { epoch: '', beat: '' };
    const reply = await TAKE.run(client, controllerKey(keys), { ...known, owner });
    if (reply.kind === 'taken') return new Epoch(needs, reply.epoch);
    if (seen === null || seen.epoch !== reply.epoch || seen.beat !== reply.beat) {
      if (seen !== null && patience === 'refuse') throw led(keys, reply);
      seen = reply;
      since = clock.monotonic();
    }
    await clock.sleep(LOOK_EVERY, signal);
  }
}

function led({ crawl }: KeySpace, { owner }: Leader): CrawlError {
  return new CrawlError(
    'CRAWL_LED',
    `The crawl ${crawl} is led by another process that is alive: ${owner}.\nStop that one first.`,
    { data: { crawl, owner } },
  );
}

/** The controller of a crawl as its workers see it. */
interface ControllerState {
  readonly epoch: number;
  readonly state: string;
  /** Its time of day, epoch milliseconds: by that the frontier goes, whatever the clock of a worker says. */
  readonly now: number;
}

/** Null where the crawl is gone. */
export async function readController(client: Redis, keys: KeySpace): Promise<ControllerState | null> {
  const [epoch, state, offset] = await client.hmget(controllerKey(keys).controller, 'epoch', 'state', 'offset');
  if (typeof epoch !== 'string' || typeof state !== 'string') return null;
  return { epoch: wholeOf(epoch), state, now: (await serverTime(client)) + Number(offset ?? 0) };
}

/** The server's time of day in milliseconds. */
async function serverTime(client: Redis): Promise<number> {
  const [full, micro] = await client.time();
  return Number(full) * 1000 + Number(micro) / 1000;
}

function controllerKey(keys: KeySpace): { readonly controller: string } {
  return { controller: keys.key(FLEET_NAMESPACE, 'controller') };
}
