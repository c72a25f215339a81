/** Finds pages that one crawl has at another address than the other. */
import { movedPages, type MovingPage } from '../core/diff/moved-pages.ts';
import { returnedPages } from '../core/diff/returned-pages.ts';
import { isPage, type standingsOf } from '../core/diff/standings.ts';
import type { PageVersion } from '../model/page-version.ts';
import type { ComparedSite } from './compared-site.ts';
import { moveCandidates } from './move-candidates.ts';
import type { ComparedPair } from './page-comparison.ts';

export type Standings = ReturnType<typeof standingsOf>;

export interface Move extends ComparedPair {
  readonly similarity: number | null;
  readonly redirects: boolean;
}

/** Finds removed pages at another address; an address that redirects now may be one of them. */
export async function moved(
  standings: Standings,
  { old, now }: { readonly old: ComparedSite; readonly now: ComparedSite },
  signal: AbortSignal,
): Promise<{
  readonly moves: readonly Move[];
  readonly pairs: readonly ComparedPair[];
  readonly gone: Standings['gone'];
  readonly come: readonly PageVersion[];
}> {
  const { pairs, gone, come } = withReturned(standings);
  const asPairs = pairs.map(([before, after]) => ({ old: before, now: after }));
  const redirected = asPairs.filter((pair) => isPage(pair.old) && pair.now.outcome === 'redirected');
  const redirects = new Map(redirected.map((pair) => [pair.old.address, lastTarget(pair.now, now)]));
  const leaving = [...gone.map(({ page }) => page), ...redirected.map((pair) => pair.old)];
  if (leaving.length === 0 || come.length === 0) return { moves: [], pairs: asPairs, gone, come };
  const candidates: readonly MovingPage[] = await moveCandidates(old, leaving, redirects, signal);
  const places = await moveCandidates(now, come, new Map(), signal);
  const moves = movedPages(candidates, places).flatMap(({ from, to, similarity }): Move[] => {
    const [page, place] = [old.pages.get(from), now.pages.get(to)];
    if (page === undefined || place === undefined) return [];
    return [{ old: page, now: place, similarity, redirects: redirects.get(from) === to }];
  });
  const [left, taken] = [
    new Set(moves.map((move) => move.old.address)),
    new Set(moves.map((move) => move.now.address)),
  ];
  return {
    moves,
    pairs: asPairs.filter((pair) => !left.has(pair.old.address)),
    gone: gone.filter(({ page }) => !left.has(page.address)),
    come: come.filter(({ address }) => !taken.has(address)),
  };
}

/** Pages that another value in their address makes neither gone nor new. */
function withReturned({ pairs, gone, come }: Standings): Pick<Standings, 'pairs' | 'gone' | 'come'> {
  const returned = returnedPages(
    gone.map(({ page }) => page),
    come,
  );
  const [left, back] = [new Set(returned.map(([old]) => old)), new Set(returned.map(([, now]) => now))];
  return {
    pairs: [...pairs, ...returned],
    gone: gone.filter(({ page }) => !left.has(page)),
    come: come.filter((page) => !back.has(page)),
  };
}

const MOST_HOPS = 10;

function lastTarget({ redirect }: PageVersion, { pages }: ComparedSite): string {
  let at = redirect ?? '';
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const next = pages.get(at)?.redirect ?? null;
    if (next === null) return at;
    at = next;
  }
  return at;
}
