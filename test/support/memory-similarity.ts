/** A similarity index that compares every page with every other: the reference for the one in Redis. */
import { equalBytesFor, similarityOfBytes } from '../../src/core/fingerprint/banding.ts';
import { NO_BOILERPLATE, type BoilerplateCounts } from '../../src/core/fingerprint/boilerplate.ts';
import type { LikePage } from '../../src/core/fingerprint/verdict.ts';
import type { ComparedPage, SimilarityIndex } from '../../src/dedup/similarity-index.ts';
import { registrableDomainOf, type HostKey } from '../../src/model/url/host-key.ts';

interface Match {
  readonly head: ComparedPage;
  readonly sameDomain: boolean;
  readonly exact: boolean;
  readonly equal: number;
}

export function memorySimilarityIndex(threshold: number): SimilarityIndex {
  /** Pages in the order of their numbers. */
  const heads: (ComparedPage | null)[] = [];
  const boilerplate = new Map<HostKey, BoilerplateCounts>();
  const needed = equalBytesFor(threshold);

  function matchOf(page: ComparedPage, head: ComparedPage): Match | null {
    const exact = head.digest === page.digest;
    const equal = exact ? 128 : equalBytes(page.signature, head.signature);
    if (!exact && equal < needed) return null;
    return { head, exact, equal, sameDomain: registrableDomainOf(head.url) === registrableDomainOf(page.url) };
  }

  function place(page: ComparedPage): LikePage | null {
    const own = heads.findIndex((head) => head?.url === page.url);
    if (own !== -1 && heads[own]?.digest === page.digest) return null;
    if (own !== -1) heads[own] = null;
    const matches = heads.flatMap((head) => {
      const match = head === null ? null : matchOf(page, head);
      return match === null ? [] : [match];
    });
    const [best] = matches.toSorted(
      (one, other) =>
        Number(other.sameDomain) - Number(one.sameDomain) ||
        Number(other.exact) - Number(one.exact) ||
        other.equal - one.equal,
    );
    if (best?.sameDomain !== true) heads[own === -1 ? heads.length : own] = page;
    if (best === undefined) return null;
    const { url, linkSignature } = best.head;
    return {
      url,
      similarity: best.exact ? 1 : similarityOfBytes(best.equal),
      sameDomain: best.sameDomain,
      linkSignature: {
        count: linkSignature.count,
        same: linkSignature.digest === page.linkSignature.digest,
        equal: equalBytes(linkSignature.sketch, page.linkSignature.sketch),
      },
    };
  }

  return {
    place: (page) => Promise.resolve(place(page)),
    boilerplateOf: (host) => Promise.resolve(boilerplate.get(host) ?? NO_BOILERPLATE),
    keepBlocks: (host, kept) => {
      boilerplate.set(host, kept);
      return Promise.resolve();
    },
  };
}

function equalBytes(one: Uint8Array | null, other: Uint8Array | null): number {
  if (one === null || other === null) return 0;
  return one.filter((byte, at) => byte === other[at]).length;
}
