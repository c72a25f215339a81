/**
 * Where the lists of routes begin in the parts of an application that its routes load (core/links/scripts/part-names.ts). Such a list does
 * not say it; the script that names the part does.
 */
import { parsedUrl } from '../../base/parsed-url.ts';
import type { PartBegins, RoutePart } from '../../model/route-part.ts';

/** Parts that are remembered, and parts within each other (both arbitrary). */
const LIMIT = 1000;
const DEPTH = 10;
/** Characters of a joined path. */
const PATH_LENGTH = 300;

interface KnownPart {
  readonly path: string;
  /** The parts one of which holds the list with that path. */
  readonly within: readonly string[];
  /** Does the path begin at the root where no part is known to hold the list? */
  readonly isAtRoot: boolean;
}

/** The parts that the scripts of a crawl load. */
export class KnownParts {
  readonly #parts = new Map<string, KnownPart>();

  /** @param url of the script that loads the parts @param isLater did another script load it? */
  learn(url: string, parts: readonly RoutePart[], isLater: boolean): void {
    for (const { path, target, module, isSole, isAtRoot } of parts) {
      const key = keyOf(target, url);
      if (key === null || this.#parts.has(key)) continue;
      const within = module === null || module === '' ? [] : [keyOf(module, url) ?? ''];
      if (module !== null && isSole) within.push(url);
      this.#parts.set(key, { path: path.replace(/\/$/, ''), within, isAtRoot: isAtRoot || (isSole && !isLater) });
      if (this.#parts.size > LIMIT) this.#forgetOldest();
    }
  }

  /** Where the lists of the script begin, as far as others say it. */
  beginsIn(url: string): PartBegins {
    const begins: (readonly [string, string])[] = [];
    if (this.#parts.size === 0) return begins;
    const folder = keyOf('', url) ?? '';
    for (const key of this.#parts.keys()) {
      if (key !== url && !key.startsWith(folder)) continue;
      const begin = this.#beginOf(key);
      if (begin !== null) begins.push([key === url ? '' : key.slice(folder.length), begin]);
    }
    return begins;
  }

  #beginOf(key: string, depth = 0): string | null {
    const part = this.#parts.get(key);
    if (part === undefined || depth > DEPTH) return null;
    const { path, within, isAtRoot } = part;
    const around = within.find((each) => this.#parts.has(each));
    const begin = around === undefined ? (isAtRoot ? '' : null) : this.#beginOf(around, depth + 1);
    return begin === null || begin.length + path.length > PATH_LENGTH ? null : begin + path;
  }

  #forgetOldest(): void {
    for (const key of this.#parts.keys()) {
      this.#parts.delete(key);
      return;
    }
  }
}

/** Key of a script: its URL; of a module: the folder of the scripts, and its number. */
function keyOf(target: string, url: string): string | null {
  const isModule = /^\d*$/.test(target);
  return parsedUrl(isModule ? `./#${target}` : target, url)?.href ?? null;
}
