/**
 * The journals of a crawl's parts, read as one. A stretch belongs to one part, and that part stores in one step, with it, the lengths of the files
 * and the written positions of all parts' journals. So the last of all parts' positions is the valid one.
 */
import { z } from 'zod';
import { CrawlError } from '../../base/errors.ts';
import { parsedJson } from '../../base/safe-json.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { JournalPosition, JournalStretch } from '../frontier.ts';
import { readJournalText } from '../journal-text.ts';
import { TOTALS } from '../scripts.ts';
import type { Part, Parts } from './part.ts';

/** A position as stored in a part; `upTo` counts the entries of all parts. */
const kept = z.object({
  upTo: z.int(),
  lengths: z.record(z.string(), z.int()),
  /** Number of entries written, per part. */
  written: z.array(z.int()),
});
type Kept = z.infer<typeof kept>;

export class PartedJournal {
  readonly #parts: Parts;
  /** Number of entries written per part, as far as known; null before it is read. */
  #written: number[] | null = null;
  /** The last stretch read. */
  #open: { readonly part: Part; readonly upTo: number } | null = null;
  #turn = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The oldest entries of a part that has any; the parts take turns. */
  async read(count: number): Promise<JournalStretch> {
    const written = await this.#known();
    this.#open = null;
    for (const _ of this.#parts.all) {
      const part = this.#parts.at(this.#turn % this.#parts.count);
      this.#turn += 1;
      const { upTo, entries } = await part.leader.journal(part.client, part.keys, { count });
      // where a part went back, the sum goes back too, and its reader stops
      written[part.number] = upTo - entries.length;
      if (entries.length === 0) continue;
      this.#open = { part, upTo };
      return { upTo: sum(written) + entries.length, entries: await this.#entriesOf(part, entries) };
    }
    return { upTo: sum(written), entries: [] };
  }

  async wasWritten({ upTo, lengths }: JournalPosition): Promise<void> {
    const written = await this.#known();
    const open = this.#open;
    const now = written.map((each, number) => (number === open?.part.number ? open.upTo : each));
    if (open !== null && sum(now) === upTo) {
      const position: Kept = { upTo, lengths: { ...lengths }, written: now };
      const args = { upTo: open.upTo, position: JSON.stringify(position) };
      if (await open.part.leader.journalWritten(open.part.client, open.part.keys, args)) {
        this.#written = now;
        this.#open = null;
        return;
      }
    }
    if (open === null && (await this.#keepLengths(upTo, lengths))) return;
    throw new RangeError(`the journal has no stretch that ends before entry ${upTo}`);
  }

  /** Stores other lengths for the last position. @returns false where `upTo` is not the last position */
  async #keepLengths(upTo: number, lengths: JournalPosition['lengths']): Promise<boolean> {
    const last = await this.#last();
    if (last === null || last.kept.upTo !== upTo) return false;
    const { part, kept } = last;
    const position: Kept = { ...kept, lengths: { ...lengths } };
    const args = { upTo: kept.written[part.number] ?? 0, position: JSON.stringify(position) };
    return part.leader.journalWritten(part.client, part.keys, args);
  }

  /** The last position of all parts, and the part that has it; null before the first. */
  async #last(): Promise<{ readonly part: Part; readonly kept: Kept } | null> {
    const positions = await this.#parts.ask(async (part) => {
      const text = await part.client.hget(part.keys.meta, 'position');
      return text === null ? null : { part, kept: kept.parse(parsedJson(text)) };
    });
    return positions.reduce(
      (one, other) => (other !== null && other.kept.upTo > (one?.kept.upTo ?? -1) ? other : one),
      null,
    );
  }

  /** @throws {CrawlError} STATE_LOST where a part has lost entries that are in the files */
  async position(): Promise<JournalPosition | null> {
    const last = (await this.#last())?.kept;
    if (last === undefined) return null;
    this.#written = null;
    const written = await this.#known();
    for (const [number, known] of last.written.entries())
      if ((written[number] ?? 0) < known) await this.#catchUp(this.#parts.at(number), last, known);
    return { upTo: last.upTo, lengths: last.lengths };
  }

  async unwritten(): Promise<readonly JournalEntry[]> {
    const lists = await this.#parts.ask((part) => part.frontier.unwritten());
    return lists.flat();
  }

  /** Forgets entries that are in the files, after a failover to a replica that did not know it and still has them. */
  async #catchUp(part: Part, { upTo, lengths }: Kept, known: number): Promise<void> {
    const position = JSON.stringify({ upTo: 0, lengths, written: [] });
    this.#written = null;
    if (await part.leader.journalWritten(part.client, part.keys, { upTo: known, position })) return;
    throw new CrawlError(
      'STATE_LOST',
      `A node of the Redis Cluster has lost pages of the crawl that are in its folder already: a replica took over that did not know of them.\nCrawl again with --overwrite.`,
      { data: { part: part.number, upTo } },
    );
  }

  async #known(): Promise<number[]> {
    this.#written ??= [
      ...(await this.#parts.ask(async ({ client, keys }) => Number((await client.hget(keys.meta, 'written')) ?? 0))),
    ];
    return this.#written;
  }

  /** @returns the entries, with their pages' importance in the whole crawl */
  async #entriesOf(part: Part, texts: readonly string[]): Promise<readonly JournalEntry[]> {
    const elsewhere = await this.#parts.sum(async (other) =>
      other === part ? 0 : (await TOTALS.run(other.client, other.keys, {})).history,
    );
    return texts.map((text) => readJournalText(text, elsewhere));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
