/** Assigns visits to crews, for each lease among the crews that have a free slot. */

/** Free slots of a crew: of this process or of one worker. */
export type FreeSlots = ReadonlyMap<string, number>;

/** The egress address of a crew; null where it does not matter, because politeness counts for all crews together. */
export type EgressOf = ((crew: string) => string) | null;

/** The parts of a visit that its assignment depends on. */
export interface Wanted {
  readonly host: string;
  /** Only a crew of this address may make it; left out where any may. */
  readonly egress?: string;
}

/** State of the crews. */
export interface Crews {
  readonly free: FreeSlots;
  /** The crew that visited its host last, from that address; null where none did. */
  readonly before: (visit: Wanted) => string | null;
  readonly egressOf: EgressOf;
}

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

/** Total number of free slots. */
export function countFree(free: FreeSlots): number {
  let sum = 0;
  for (const left of free.values()) sum += left;
  return sum;
}

/**
 * The addresses of the crews as they are now. A crew may be gone before the visits that were leased for its address are assigned; it
 * keeps its place until then.
 */
export function egressesNow(crews: FreeSlots, egressOf: EgressOf): EgressOf {
  if (egressOf === null) return null;
  const addresses = new Map(Array.from(crews.keys(), (crew) => [crew, egressOf(crew)]));
  return (crew) => addresses.get(crew) ?? '';
}

/**
 * The addresses of the crews that make visits, each once, with the number of its free slots.
 * @param slots of the crews that are alive; @param free those that no visit takes
 */
export function placesByEgress(
  slots: FreeSlots,
  free: FreeSlots,
  egressOf: (crew: string) => string,
): readonly { readonly address: string; readonly count: number }[] {
  const places = new Map<string, number>();
  for (const [crew, all] of slots) {
    if (all <= 0) continue;
    const address = egressOf(crew);
    places.set(address, (places.get(address) ?? 0) + (free.get(crew) ?? 0));
  }
  return [...places].map(([address, count]) => ({ address, count }));
}

/**
 * Gives each visit to the crew that visited its host before, because a crew keeps its knowledge of a host (kinds of pages, waits,
 * robots.txt, connections); else to the crew with the most free slots. A visit for an egress address always goes to a crew of that address.
 * @param visits no more than there are free slots, for each egress address as well
 * @returns a crew for each visit, in their order
 */
export function assign(visits: readonly Wanted[], { free, before, egressOf }: Crews): readonly string[] {
  const left = new Map(free);
  const mayMake = (crew: string, { egress }: Wanted): boolean =>
    egressOf === null || egress === undefined || egressOf(crew) === egress;
  const crews = visits.map((visit) => {
    const crew = before(visit);
    return crew !== null && mayMake(crew, visit) && take(crew, left) ? crew : null;
  });
  return visits.map((visit, index) => {
    const known = crews[index] ?? null;
    if (known !== null) return known;
    const most = crewWithMost([...left].filter(([crew]) => mayMake(crew, visit)));
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

function crewWithMost(left: readonly (readonly [string, number])[]): string {
  let most: readonly [string, number] | null = null;
  for (const entry of left) if (most === null || entry[1] > most[1]) most = entry;
  if (most === null) throw new RangeError('no crew has a slot');
  return most[0];
}
