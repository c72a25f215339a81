/** Which sightings of a page are kept where there are more than can be: ways to pages before parts, the sure before guesses. */
import { leadsToPage } from '../../core/links/page-link.ts';
import type { LinkSighting } from '../../model/link.ts';
import { sightingKey } from './sightings.ts';

/** Each once, in order, and at most `limit`. Where a link is called something in one place and nothing in another, by its name. */
export function keptSightings(found: readonly LinkSighting[], limit: number): readonly LinkSighting[] {
  const known = new Map<string, LinkSighting>();
  for (const sighting of found) {
    const key =
      sighting.rel.length === 0 ? sightingKey(sighting) : `${sightingKey(sighting)}\n${sighting.rel.join(' ')}`;
    const before = known.get(key);
    if (before === undefined) known.set(key, sighting);
    else if (before.text === '' && sighting.text !== '') known.set(key, { ...before, text: sighting.text });
  }
  const all = [...known.values()];
  if (all.length <= limit) return all;
  const ranks = all.map(rankOf);
  const kept = [0, 1, 2]
    .flatMap((rank) => all.flatMap((_sighting, index) => (ranks[index] === rank ? [index] : [])))
    .slice(0, limit);
  return kept.toSorted((one, other) => one - other).flatMap((index) => all[index] ?? []);
}

function rankOf(sighting: LinkSighting): number {
  if (sighting.confidence === 'low') return 2;
  return leadsToPage(sighting) ? 0 : 1;
}
