/** Matches removed pages with their new addresses: by redirect, by the same text, or by a very similar one. */

export interface MovingPage {
  readonly address: string;
  /** Digest of its text; null where that is not known. */
  readonly digest: string | null;
  /** Number of words that it shows; too few identify no page. */
  readonly words: number;
  /** Shingles of its own text, without its site's; null where they are not known. */
  readonly shingles: ReadonlySet<number> | null;
  /** For a removed page: the address that its own redirects to. */
  readonly redirect?: string | null;
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** Jaccard similarity of the texts; 1 where they are the same, null where only a redirect shows the move. */
  readonly similarity: number | null;
}

/** Pages of fewer words are like others by chance. */
const LEAST_WORDS = 8;
const LEAST_SHINGLES = 20;
/** From this similarity on, a page counts as moved and edited (arbitrary; the same as for recorded near-duplicates). */
const ALIKE = 0.75;
/** A shingle of more pages than this identifies none of them. */
const MOST_HOLDERS = 50;

/** Each page moves once, the most alike first. */
export function movedPages(gone: readonly MovingPage[], come: readonly MovingPage[]): readonly Move[] {
  const moves: Move[] = [];
  const [left, free] = [
    new Map(gone.map((page) => [page.address, page])),
    new Map(come.map((page) => [page.address, page])),
  ];
  const take = (move: Move): void => {
    if (!left.has(move.from) || !free.has(move.to)) return;
    left.delete(move.from);
    free.delete(move.to);
    moves.push(move);
  };
  for (const { address, redirect } of gone) {
    if (redirect != null && free.has(redirect)) take({ from: address, to: redirect, similarity: null });
  }
  for (const move of sameTexts([...left.values()], [...free.values()])) take(move);
  for (const move of alikeTexts([...left.values()], [...free.values()])) take(move);
  return moves;
}

/** Pages with the same text are paired by the same last part of the path, if any. */
function sameTexts(gone: readonly MovingPage[], come: readonly MovingPage[]): readonly Move[] {
  const byDigest = new Map<string, MovingPage[]>();
  for (const page of come) {
    if (page.digest === null || page.words < LEAST_WORDS) continue;
    const known = byDigest.get(page.digest);
    if (known === undefined) byDigest.set(page.digest, [page]);
    else known.push(page);
  }
  const moves: Move[] = [];
  for (const { address, digest } of gone) {
    const same = digest === null ? [] : (byDigest.get(digest) ?? []);
    const [best] = same.toSorted(
      (one, other) =>
        Number(lastPart(other.address) === lastPart(address)) - Number(lastPart(one.address) === lastPart(address)),
    );
    if (best === undefined) continue;
    moves.push({ from: address, to: best.address, similarity: 1 });
    same.splice(same.indexOf(best), 1);
  }
  return moves;
}

function alikeTexts(gone: readonly MovingPage[], come: readonly MovingPage[]): readonly Move[] {
  const holders = new Map<number, MovingPage[]>();
  for (const page of come) {
    if (page.shingles === null || page.shingles.size < LEAST_SHINGLES) continue;
    for (const shingle of page.shingles) {
      const known = holders.get(shingle);
      if (known === undefined) holders.set(shingle, [page]);
      else if (known.length <= MOST_HOLDERS) known.push(page);
    }
  }
  const moves: Move[] = [];
  for (const { address, shingles } of gone) {
    if (shingles === null || shingles.size < LEAST_SHINGLES) continue;
    const shared = new Map<MovingPage, number>();
    for (const shingle of shingles) {
      const holding = holders.get(shingle) ?? [];
      if (holding.length > MOST_HOLDERS) continue;
      for (const page of holding) shared.set(page, (shared.get(page) ?? 0) + 1);
    }
    for (const [page, count] of shared) {
      const similarity = count / (shingles.size + (page.shingles?.size ?? 0) - count);
      if (similarity >= ALIKE) moves.push({ from: address, to: page.address, similarity });
    }
  }
  return moves.toSorted((one, other) => (other.similarity ?? 1) - (one.similarity ?? 1));
}

function lastPart(address: string): string {
  return (
    address
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? ''
  );
}
