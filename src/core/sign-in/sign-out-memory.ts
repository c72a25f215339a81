/**
 * Addresses after whose visit the crawl was signed out. One visit proves nothing, because sessions end by themselves; so all addresses of its
 * path are suspects, which are visited alone and tried twice.
 */
import { parsedUrl } from '../../base/parsed-url.ts';

/** Visits that may have ended a session (arbitrary). */
const RECENT = 32;
const SUSPECTS = 1000;
/** URLs of one path that are proved before the path counts. */
const PROOFS = 2;

export class SignOutMemory {
  /** Visited since a page showed that the crawl was signed in, that page included. */
  readonly #recent: string[] = [];
  readonly #suspects = new Set<string>();
  readonly #proofs = new Map<string, number>();
  readonly #innocent = new Set<string>();

  /** A page has shown that the crawl is signed in. */
  wasIn(url: string): void {
    this.#recent.length = 0;
    this.#recent.push(url);
    this.#innocent.add(pathOf(url));
  }

  /** A visit has shown nothing about that. */
  visited(url: string): void {
    this.#recent.push(url);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** The crawl is signed out. */
  isOut(): void {
    for (const url of this.#recent.splice(0)) if (this.#suspects.size < SUSPECTS) this.#suspects.add(pathOf(url));
  }

  isSuspect(url: string): boolean {
    return this.#suspects.has(pathOf(url));
  }

  /** A visit of a suspect, alone, has left the crawl signed in. */
  cleared(url: string): void {
    this.#suspects.delete(pathOf(url));
  }

  /** A visit, alone, has signed the crawl out twice. */
  proved(url: string): void {
    const path = pathOf(url);
    this.#suspects.add(path);
    this.#proofs.set(path, (this.#proofs.get(path) ?? 0) + 1);
  }

  /** Do all URLs of its path sign out, as far as is known? */
  signsOut(url: string): boolean {
    const path = pathOf(url);
    return (this.#proofs.get(path) ?? 0) >= PROOFS && !this.#innocent.has(path);
  }
}

/** The path without the query, into which a site puts the way back, or a token. */
function pathOf(url: string): string {
  const parsed = parsedUrl(url);
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`;
}
