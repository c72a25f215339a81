/** Notes on the answers of one visit that were not read for links, for the record's `detail`. */
import { URL_SHOWN } from '../limits/reading-limits.ts';

export class UnreadAnswers {
  readonly #notes: string[] = [];
  /** Of which sorts there were too many. */
  readonly #beyond = new Set<string>();

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Forgets the visit before. */
  clear(): void {
    this.#notes.length = 0;
    this.#beyond.clear();
  }

  /** Notes an answer, once: pages ask for the same data again. */
  add(why: string, url: string): void {
    const note = `${why} ${url.slice(0, URL_SHOWN)}`;
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }

  /** Notes the first answer of those that are too many. */
  addFirst(what: string, url: string): void {
    if (this.#beyond.has(what)) return;
    this.#beyond.add(what);
    this.add(`${what}, the first is`, url);
  }
}
