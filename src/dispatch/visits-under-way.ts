/** The visits that were handed out and have not finished, and which crew makes each. */
import { LruMap } from '../base/lru-map.ts';
import type { EpochMs } from '../base/units.ts';
import { assign, type Crews, type Wanted } from '../core/fleet/assignment.ts';
import type { HostKey } from '../model/url/host-key.ts';
import type { Visit } from '../model/visit.ts';

/** Name of this process's crew. */
export const OWN_CREW = '';
/** Most hosts whose last visiting crew is remembered (arbitrary). */
const REMEMBERED_HOSTS = 20_000;

interface UnderWay {
  readonly host: HostKey;
  readonly crew: string;
  /** Time by which the visit must start; after that it never reached this process. Null for a worker's visit, and once it has started. */
  readonly startBy: EpochMs | null;
}

export class VisitsUnderWay {
  readonly #visits = new Map<number, UnderWay>();
  readonly #crewOfHost = new LruMap<string, string>(REMEMBERED_HOSTS);

  get count(): number {
    return this.#visits.size;
  }

  hosts(): readonly HostKey[] {
    return [...this.#visits.values()].map(({ host }) => host);
  }

  /** The crew of each visit. */
  *crews(): Iterable<string> {
    for (const { crew } of this.#visits.values()) yield crew;
  }

  /** Assigns visits to crews, each to the crew that visited its host last where that one is free. @returns the visits of each crew */
  assign(visits: readonly Visit[], crewsThen: Pick<Crews, 'free' | 'egressOf'>): ReadonlyMap<string, readonly Visit[]> {
    const byCrew = new Map<string, Visit[]>();
    const before = (visit: Wanted): string | null => this.#crewOfHost.get(placeOf(visit)) ?? null;
    const crews = assign(visits, { ...crewsThen, before });
    for (const [index, visit] of visits.entries()) {
      const crew = crews[index] ?? OWN_CREW;
      const { token, host, leasedUntil } = visit;
      this.#visits.set(token, { host, crew, startBy: crew === OWN_CREW ? leasedUntil : null });
      this.#crewOfHost.set(placeOf(visit), crew);
      byCrew.set(crew, [...(byCrew.get(crew) ?? []), visit]);
    }
    return byCrew;
  }

  started(token: number): void {
    const visit = this.#visits.get(token);
    if (visit !== undefined) this.#visits.set(token, { ...visit, startBy: null });
  }

  finished(token: number): void {
    this.#visits.delete(token);
  }

  /** Forgets visits that never reached this process. */
  forgetUnstarted(now: EpochMs): void {
    for (const [token, { startBy }] of this.#visits) if (startBy !== null && startBy < now) this.#visits.delete(token);
  }

  /** Is it a visit of a worker? False for one that is not under way. */
  isElsewhere(token: number): boolean {
    return (this.#visits.get(token)?.crew ?? OWN_CREW) !== OWN_CREW;
  }

  /** Visits of workers, with their crews. */
  elsewhere(): readonly { readonly token: number; readonly crew: string }[] {
    return [...this.#visits].filter(([, { crew }]) => crew !== OWN_CREW).map(([token, { crew }]) => ({ token, crew }));
  }
}

/** A host, as seen from one egress address. */
function placeOf({ host, egress = '' }: Wanted): string {
  return `${egress} ${host}`;
}
