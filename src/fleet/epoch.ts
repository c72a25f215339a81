/**
 * One controller at a time. The leader of a crawl has the last *epoch*, a rising number, and raises a heartbeat each second under it. A process
 * takes the next epoch if there is no leader, or if the heartbeat stood still for so long that the leader must be dead. A controller that finds
 * another epoch, or cannot raise its heartbeat, stops leasing. Clocks are not compared: each process uses its own.
 */
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { milliseconds, type Milliseconds } from '../base/units.ts';
import { isStep, offsetSample, surer, type OffsetSample } from '../core/fleet/clock-offset.ts';
import { SILENCE } from '../core/fleet/liveness.ts';
import type { RedisClient } from '../redis/client.ts';
import { forgottenCrawl } from '../redis/forgotten-crawl.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import { FLEET_NAMESPACE } from './keys.ts';

/** Interval between two looks at the leader. */
const LOOK_EVERY: Milliseconds = milliseconds(250);
/** Looks that lie further apart show that Redis did not answer, or that this process stood still: then the leader may have had no chance, either. */
const LONGEST_GAP: Milliseconds = milliseconds(SILENCE / 2);

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

type Kept = 'kept' | 'replaced' | 'forgotten';

const KEEP: LuaScript<'controller', 'epoch' | 'offset' | 'state', Kept> = luaScript(
  new URL('./lua/keep-epoch.lua', import.meta.url),
  {
    keys: ['controller'],
    args: ['epoch', 'offset', 'state'],
    reply: (raw) => {
      if (raw === 2) return 'forgotten';
      return yesOrNo(raw) ? 'kept' : 'replaced';
    },
  },
);

const TIME: LuaScript<'controller', never, number> = luaScript(new URL('./lua/server-time.lua', import.meta.url), {
  keys: ['controller'],
  args: [],
  reply: (raw) => {
    const [full, micro] = listOf(raw).map(wholeOf);
    return (full ?? 0) * 1000 + (micro ?? 0) / 1000;
  },
});

interface EpochNeeds {
  readonly client: RedisClient;
  readonly keys: KeySpace;
  readonly clock: Clock;
  /** Name of this process, for people. */
  readonly owner: string;
}

export class Epoch {
  readonly #needs: EpochNeeds;
  readonly number: number;
  /** Offset of the server's clock against that of this process. */
  #server: OffsetSample | null = null;

  constructor(needs: EpochNeeds, number: number) {
    this.#needs = needs;
    this.number = number;
  }

  /** @returns false where another process leads the crawl now @throws {CrawlError} STATE_LOST where Redis does not know the crawl any more */
  async beat(): Promise<boolean> {
    const kept = await this.#keep('running');
    if (kept === 'forgotten') throw forgottenCrawl(this.#needs.keys.crawl);
    return kept === 'kept';
  }

  /** Gives up the lead, so that others may lead at once. @returns false where it was lost before */
  async leave(): Promise<boolean> {
    return (await this.#keep('left')) === 'kept';
  }

  async #keep(state: 'running' | 'left'): Promise<Kept> {
    const { client, keys, clock } = this.#needs;
    const asked = clock.now();
    const time = await serverTime(client, keys);
    const sample = offsetSample(time, { asked, answered: clock.now() }, clock.monotonic());
    const before = this.#server;
    this.#server = before !== null && isStep(before, sample) ? sample : surer(before, sample);
    const offset = -Math.round(this.#server.offset);
    return KEEP.run(client, controllerKey(keys), { epoch: this.number, offset, state });
  }
}

/** A heartbeat, and the time since when it stands still. */
export interface SeenLeader extends Leader {
  readonly since: Milliseconds;
}

/** Measures how long a heartbeat stands still. Time in which nobody could have raised it does not count. */
class Silence {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #since: Milliseconds;
  #looked: Milliseconds;

  constructor(clock: Pick<Clock, 'monotonic'>, since: Milliseconds | null) {
    this.#clock = clock;
    this.#looked = clock.monotonic();
    this.#since = since ?? this.#looked;
  }

  get since(): Milliseconds {
    return this.#since;
  }

  /** Call it before a question and after its answer. @returns is it so long that the leader must be dead? */
  look(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#looked > LONGEST_GAP) this.#since = now;
    this.#looked = now;
    return now - this.#since >= SILENCE;
  }

  /** A new heartbeat was seen. */
  end(): void {
    this.#since = this.#looked;
  }
}

/**
 * Takes the epoch.
 * @param before last heartbeat of the leader that the caller has seen; null for none
 * @throws {CrawlError} CRAWL_LED where another process leads the crawl and is alive; the signal's reason
 */
export async function takeEpoch(needs: EpochNeeds, before: SeenLeader | null, signal: AbortSignal): Promise<Epoch> {
  const { client, keys, clock, owner } = needs;
  let seen: Leader | null = before;
  const silence = new Silence(clock, before?.since ?? null);
  for (;;) {
    const isSilent = silence.look();
    const known = isSilent && seen !== null ? { epoch: seen.epoch, beat: seen.beat } : { epoch: '', beat: '' };
    const reply = await TAKE.run(client, controllerKey(keys), { ...known, owner });
    if (reply.kind === 'taken') return new Epoch(needs, reply.epoch);
    silence.look();
    if (seen === null || seen.epoch !== reply.epoch || seen.beat !== reply.beat) {
      if (seen !== null) throw led(keys, reply);
      seen = reply;
      silence.end();
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

/**
 * Waits until the leader of a crawl has been silent for so long that it must be dead.
 * @returns its last heartbeat, for {@link takeEpoch}; null where it has left by itself, so that there is nothing to take over
 */
export async function awaitSilence(
  { client, keys, clock }: Omit<EpochNeeds, 'owner'>,
  signal: AbortSignal,
): Promise<SeenLeader | null> {
  let seen: Leader | null = null;
  const silence = new Silence(clock, null);
  for (;;) {
    silence.look();
    const fields = await client.hmget(controllerKey(keys).controller, 'epoch', 'beat', 'owner', 'state');
    const [epoch, beat, owner, state] = fields.map((field) => field ?? '');
    if (epoch === '' || state === 'left') return null;
    const isSilent = silence.look();
    const found = { epoch: Number(epoch), beat: Number(beat), owner: owner ?? '' };
    if (seen !== null && seen.epoch === found.epoch && seen.beat === found.beat) {
      if (isSilent) return { ...seen, since: silence.since };
    } else {
      seen = found;
      silence.end();
    }
    await clock.sleep(LOOK_EVERY, signal);
  }
}

/** Is there, or was there, a process that leads the crawl? Then its state is in this Redis. */
export async function hasController({ client, keys }: Pick<EpochNeeds, 'client' | 'keys'>): Promise<boolean> {
  return (await client.exists(controllerKey(keys).controller)) === 1;
}

/** The controller of a crawl as its workers see it. */
interface ControllerState {
  readonly epoch: number;
  readonly state: string;
  /** Lead of the controller's time of day over the reader's monotonic clock. The frontier uses this time, not the worker's clock. */
  readonly time: OffsetSample;
}

/** State of a crawl's controller; null where the crawl is gone. */
export async function readController(
  { client, keys }: Pick<EpochNeeds, 'client' | 'keys'>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<ControllerState | null> {
  const [epoch, state, offset] = await client.hmget(controllerKey(keys).controller, 'epoch', 'state', 'offset');
  if (typeof epoch !== 'string' || typeof state !== 'string') return null;
  const asked = clock.monotonic();
  const now = (await serverTime(client, keys)) + Number(offset ?? 0);
  const answered = clock.monotonic();
  return { epoch: wholeOf(epoch), state, time: offsetSample(now, { asked, answered }, answered) };
}

/** The time of day of the server that has the crawl, in milliseconds. */
function serverTime(client: RedisClient, keys: KeySpace): Promise<number> {
  return TIME.run(client, controllerKey(keys), {});
}

function controllerKey(keys: KeySpace): { readonly controller: string } {
  return { controller: keys.key(FLEET_NAMESPACE, 'controller') };
}
