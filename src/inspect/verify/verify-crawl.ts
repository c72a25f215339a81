/** Verifies that a crawl folder is whole: its lines, its books, its snapshots and its archive, each checked against the others. */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { counted, grouped } from '../../base/count-words.ts';
import { parsedJson } from '../../base/safe-json.ts';
import { storageOf } from '../../crawl-folder/not-gathered.ts';
import { readStoredCrawl, type StoredCrawl } from '../../crawl-folder/stored-crawl.ts';
import { DETAILS_SCHEMA } from '../../crawl-folder/stored-details.ts';
import { LINE_SCHEMAS } from '../../crawl-folder/stored-lines.ts';
import { VERSION } from '../../options/identity.ts';
import { ARCHIVE_FOLDER } from '../../warc/archive-names.ts';
import { numberedLines } from './numbered-lines.ts';
import { UrlAccount } from './url-account.ts';
import { ProblemList, type CrawlVerification, type VerifiedCheck, type VerifiedPart } from './verification.ts';
import { ArchiveCheck } from './verify-archive.ts';
import { SnapshotCheck } from './verify-snapshots.ts';

export interface VerifyOptions {
  readonly signal?: AbortSignal;
}

const count = z.int().nonnegative();
const endSchema = z.looseObject({
  totals: z.looseObject({ discovered: count, visited: count, failed: count, skipped: count, queued: count }),
});
type Totals = z.infer<typeof endSchema>['totals'];

/**
 * Reads a crawl folder from its first byte to its last, and changes nothing. Takes as long as reading all of it; memory grows with the number
 * of URLs, by some 200 bytes each.
 * @returns `whole` where there is no fault
 * @throws {CrawlError} CRAWL_UNREADABLE where the folder holds no crawl that this version can read
 * @example
 * const { whole, checks } = await verifyCrawl('orbweaver-example.org-20260102-030405');
 */
export async function verifyCrawl(folder: string, { signal }: VerifyOptions = {}): Promise<CrawlVerification> {
  const path = resolve(folder);
  const crawl = await readStoredCrawl(path, VERSION);
  return new Verifying(path, crawl, signal ?? new AbortController().signal).run();
}

class Verifying {
  readonly #folder: string;
  readonly #crawl: StoredCrawl;
  readonly #signal: AbortSignal;
  readonly #account = new UrlAccount();
  readonly #checks: VerifiedCheck[] = [];
  readonly #notes: string[] = [];
  #linksBefore = Number.POSITIVE_INFINITY;

  constructor(folder: string, crawl: StoredCrawl, signal: AbortSignal) {
    this.#folder = folder;
    this.#crawl = crawl;
    this.#signal = signal;
  }

  async run(): Promise<CrawlVerification> {
    const totals = await this.#readTotals();
    // a page is written before its links: these are read as far as they were there before their pages are read
    if (this.#isBehind) this.#linksBefore = await sizeOf(join(this.#folder, 'links.jsonl'));
    const pages = await this.#verifyPages();
    await this.#verifyLinks(pages.lines);
    await this.#verifySkipped();
    await this.#verifyOtherLines();
    this.#verifyBooks(totals);
    this.#checks.push(...pages.later);
    const { state } = this.#crawl;
    const whole = this.#checks.every(({ problems }) => problems === 0);
    return { folder: this.#folder, state, whole, checks: this.#checks, notes: this.#notes };
  }

  /** May its files lack the last that it has noted? They get it while it runs, and when it goes on after it was killed or broke off. */
  get #isBehind(): boolean {
    return this.#crawl.state === 'running' || this.#brokeOff;
  }

  get #brokeOff(): boolean {
    return this.#crawl.end === 'broken';
  }

  /** @returns null where the crawl is not held to them */
  async #readTotals(): Promise<Totals | null> {
    const problems = new ProblemList('crawl.json');
    problems.looked = 1;
    const { state, end } = this.#crawl;
    const read = endSchema.safeParse(parsedJson(await readFile(join(this.#folder, 'crawl.json'), 'utf8')));
    if (!read.success && !this.#isBehind) problems.add('it has ended, and its totals are not there');
    this.#checks.push(problems.check('crawl.json', end === null ? state : `${state} (${end})`));
    if (this.#brokeOff)
      this.#notes.push(
        'the crawl broke off: its books are not held to totals, for its last lines may come when it goes on',
      );
    else if (this.#isBehind)
      this.#notes.push('the crawl runs, or was killed: its books are not held to totals, which it has none of yet');
    if (this.#isBehind) return null;
    return read.success ? read.data.totals : null;
  }

  /** Verifies pages, and the snapshots and archive records that they name. */
  async #verifyPages(): Promise<{ readonly lines: ProblemList; readonly later: readonly VerifiedCheck[] }> {
    const problems = new ProblemList('pages.jsonl');
    const files = new ProblemList('snapshots');
    const records = new ProblemList(ARCHIVE_FOLDER);
    const snapshots = new SnapshotCheck(this.#folder, files);
    const archive = new ArchiveCheck(records);
    await archive.open(this.#folder, this.#crawl, this.#signal);
    if (archive.isUnfinished) this.#notes.push('its archive was not looked at: it is closed when the crawl ends');
    const wanted = { file: 'pages.jsonl', schema: LINE_SCHEMAS['pages.jsonl'] };
    for await (const { line, value } of numberedLines(this.#folder, wanted, problems, this.#signal)) {
      this.#account.addPage(value, { line, mayBeAgain: this.#isBehind }, problems);
      await snapshots.add(value, line);
      archive.add(value);
    }
    await this.#noteElsewhere(snapshots.elsewhere + archive.elsewhere);
    const later = [
      files.check(
        'snapshots',
        `${counted(files.looked, 'file')}, ${grouped(snapshots.withDigest)} held to their SHA-256`,
      ),
      records.check('archive', `${counted(records.looked, 'record')}, each held to its digests`),
    ];
    return { lines: problems, later: later.filter(({ looked, problems }) => looked + problems > 0) };
  }

  async #noteElsewhere(files: number): Promise<void> {
    if (files === 0) return;
    const place = (await storageOf(this.#folder)) ?? 'the disks of workers';
    this.#notes.push(
      `${counted(files, 'snapshot')} lie in ${place}, and were not looked at: orbweaver gather brings them`,
    );
  }

  async #verifyLinks(pages: ProblemList): Promise<void> {
    const problems = new ProblemList('links.jsonl');
    const wanted = { file: 'links.jsonl', schema: LINE_SCHEMAS['links.jsonl'], before: this.#linksBefore };
    for await (const { line, value } of numberedLines(this.#folder, wanted, problems, this.#signal))
      this.#account.addLink(value, line, problems);
    this.#account.settle(pages, this.#isBehind);
    this.#checks.push(pages.check('pages.jsonl', `${counted(pages.looked, 'line')}, one for each URL that ended`));
    this.#checks.push(problems.check('links.jsonl', `${counted(problems.looked, 'line')}, as many as their pages say`));
  }

  async #verifySkipped(): Promise<void> {
    const problems = new ProblemList('skipped.jsonl');
    const wanted = { file: 'skipped.jsonl', schema: LINE_SCHEMAS['skipped.jsonl'] };
    for await (const { line, value } of numberedLines(this.#folder, wanted, problems, this.#signal))
      this.#account.addSkipped(value, line, problems);
    this.#checks.push(
      problems.check('skipped.jsonl', `${counted(problems.looked, 'line')}, none of a URL that was visited`),
    );
  }

  /** Verifies files whose lines stand for themselves; those of an audit are only there where there was one. */
  async #verifyOtherLines(): Promise<void> {
    const others = [
      ['details.jsonl', DETAILS_SCHEMA],
      ['findings.jsonl', LINE_SCHEMAS['findings.jsonl']],
      ['external.jsonl', LINE_SCHEMAS['external.jsonl']],
      ['log.jsonl', LINE_SCHEMAS['log.jsonl']],
    ] as const;
    for (const [file, schema] of others)
      if (await isThere(join(this.#folder, file))) await this.#verifyLinesOf(file, schema);
  }

  async #verifyLinesOf(file: VerifiedPart, schema: z.ZodType): Promise<void> {
    const problems = new ProblemList(file);
    for await (const _line of numberedLines(this.#folder, { file, schema }, problems, this.#signal));
    this.#checks.push(problems.check(file, counted(problems.looked, 'line')));
  }

  #verifyBooks(totals: Totals | null): void {
    if (totals === null) return;
    const { discovered, visited, failed, skipped, queued } = totals;
    const problems = new ProblemList('crawl.json');
    problems.looked = 1;
    if (discovered !== visited + failed + skipped + queued)
      problems.add(
        `discovered is ${discovered}, and visited + failed + skipped + queued is ${visited + failed + skipped + queued}`,
      );
    const account = this.#account;
    if (account.visited !== visited)
      problems.add(`visited is ${visited}, and pages.jsonl has ${counted(account.visited, 'such line')}`);
    if (account.failed !== failed)
      problems.add(`failed is ${failed}, and pages.jsonl has ${counted(account.failed, 'such line')}`);
    // skipped URLs that may yet be visited are written at an end, not where a crawl is interrupted
    const isShort = this.#crawl.state === 'finished' && account.skipped < skipped;
    if (account.skipped > skipped || isShort)
      problems.add(`skipped is ${skipped}, and skipped.jsonl has ${counted(account.skipped, 'URL')}`);
    const parts = Object.entries({ visited, failed, skipped, queued }).map(
      ([state, count]) => `${grouped(count)} ${state}`,
    );
    const said = `${grouped(discovered)} discovered = ${parts.join(' + ')}`;
    this.#checks.push(problems.check('books', said));
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
