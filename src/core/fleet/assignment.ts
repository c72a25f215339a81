/** Who makes which visit: decided for each lease among the crews that have a free slot. */

/** Free slots of a crew: of this process or of one worker. */
export type FreeSlots = ReadonlyMap<string, number>;

/**
 * Slots that are free in each crew.
 * @param slots of the crews that are alive; @param underWay the crew of each visit that is under way
 */
export function freeSlots(slots: FreeSlots, underWay: Iterable<string>): FreeSlots {
  const free = new Map(slots);
  for (const crew of underWay) {
    const left = free.get(crew);
    if (left !== undefined) free.set(crew, left - 1);
  }
  return new Map([...free].filter(([, left]) => left > 0));
}

/** The number of slots that are free in all. */
export function countFree(free: FreeSlots): number {
  let sum = 0;
  for (const left of free.values()) sum += left;
  return sum;
}

/**
 * Gives each visit to a crew: to the one that its host was visited by before, for what a crew has learnt of a host (kinds of pages, waits, robots.txt,
 * connections) stays with it; else to the one with the most free slots.
 * @param hosts of the visits, no more than there are free slots
 * @param before the crew that visited a host last; null where none did
 * @returns a crew for each visit, in their order
 */
export function assign(
  hosts: readonly string[],
  free: FreeSlots,
  before: (host: string) => string | null,
): readonly string[] {
  const left = new Map(free);
  const crews: (string | null)[] = hosts.map((host) => {
    const crew = before(host);
    return crew !== null && take(crew, left) ? crew : null;
  });
  return crews.map((crew) => {
    if (crew !== null) return crew;
    const most = crewWithMost(left);
    take(most, left);
    return most;
  });
}

function take(crew: string, left: Map<string, number>): boolean {
  const slots = left.get(crew) ?? 0;
  if (slots <= 0) return false;
  left.set(crew, slots - 1);
  return true;
}

function crewWithMost(left: ReadonlyMap<string, number>): string {
  let most: readonly [string, number] | null = null;
  for (const entry of left) if (most === null || entry[1] > most[1]) most = entry;
  if (most === null) throw new RangeError('no crew has a slot');
  return most[0];
}
