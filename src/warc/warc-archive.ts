/**
 * The archive of a crawl: all traffic of the egress gate, as WARC files in `archive/` of the crawl folder, with their index.
 * Records are packed in parallel and appended in the order in which their exchanges ended.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { kibibytes, milliseconds, type EpochMs } from '../base/units.ts';
import { diskError } from '../crawl-folder/disk-error.ts';
import type { ExchangeRecorder, ExchangeRecording, WireRequest } from '../model/exchange.ts';
import type { ArchivedRecord } from '../model/record.ts';
import { ARCHIVE_FOLDER, bodyFolderName, journalName, warcName } from './archive-names.ts';
import { Batch, type BatchLimits } from './batch.ts';
import { cdxjSort } from './cdxj-sort.ts';
import { HeldRecording, type RecordingOwner } from './exchange-recording.ts';
import { exchangeRecords, type FinishedExchange, type PlainRecord } from './exchange-records.ts';
import { BODY_LIMITS, BodyStore, type BodyLimits, type HeldBody } from './held-body.ts';
import { KnownPayloads, type KnownAnswer } from './known-payloads.ts';
import { openWarcFiles, type FiledPlace, type FiledRecord, type WarcFiles } from './warc-files.ts';
import { warcInfoBlock, type WarcInfo } from './warc-info.ts';
import { packRecord, type WarcMember } from './warc-member.ts';
import { digestOf, newRecordId, warcHeadBytes } from './warc-record.ts';
import { recoverArchive } from './warc-recovery.ts';

/** WACZ and its readers expect files of about this size. */
const FILE_LIMIT = 1_000_000_000;

export interface ArchiveOptions {
  readonly info: WarcInfo;
  /** Name of the worker that writes the archive; null, or left out, for the leader of the crawl. */
  readonly worker?: string | null;
  readonly clock: Clock;
  /** Names of the user's headers, in any case: their values stay out of the archive. */
  readonly secretHeaders: readonly string[];
  /** Size of a file after which the next one begins; default 1 GB. */
  readonly fileLimit?: number;
  readonly bodies?: BodyLimits;
}

export interface OpenArchive extends ExchangeRecorder, AsyncDisposable {
  /**
   * The answer to the last finished GET of a URL. An answer that began before the visit is only used if no exchange under
   * way ends soon; null where there is none.
   */
  answer(visit: AskedAnswer, signal: AbortSignal): Promise<KnownAnswer | null>;
  /** Stores records of our own, adjacent to each other. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  store(records: readonly PlainRecord[]): Promise<readonly ArchivedRecord[]>;
  /** Resolves when all exchanges ended so far are on disk. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  sync(): Promise<void>;
  /** Ends the files and, except for a worker, sorts the index. Nothing is stored afterwards. @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE */
  seal(): Promise<void>;
}

/** The visit whose answer is searched for. */
interface AskedAnswer {
  readonly url: string;
  readonly startedAt: EpochMs;
}

/**
 * Opens the archive of a crawl folder, after repairing the remains of an interrupted crawl.
 * @throws {CrawlError} DISK_FULL, OUTPUT_UNUSABLE
 */
export async function openArchive(crawlFolder: string, options: ArchiveOptions): Promise<OpenArchive> {
  const folder = join(crawlFolder, ARCHIVE_FOLDER);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { info, clock, worker = null } = options;
    const bodies = new BodyStore(join(folder, bodyFolderName(worker)), options.bodies ?? BODY_LIMITS);
    const known = new KnownPayloads();
    const { nextNumber } = await recoverArchive(folder, (line) => known.noteIndexed(line), worker);
    const files = await openWarcFiles({
      folder,
      journal: journalName(worker),
      nameOf: (number) => warcName(info.crawl, worker, number),
      firstNumber: nextNumber,
      fileLimit: options.fileLimit ?? FILE_LIMIT,
      parts: (filename) => openingRecord(info, filename, clock),
    });
    return new WarcArchive(folder, { options, bodies, known, files });
  } catch (error) {
    throw diskError(error, folder);
  }
}

interface ArchiveParts {
  readonly options: ArchiveOptions;
  readonly bodies: BodyStore;
  readonly known: KnownPayloads;
  readonly files: WarcFiles;
}

/** Longest wait for the end of a page's document after the page was read. */
const END_WAIT = 5000;

/**
 * Ended exchanges are digested, packed and written in batches: one by one, between other work, costs a third more, and a page
 * to be stored waits for all its parts anyway.
 */
const TOGETHER: BatchLimits = { items: 64, bytes: kibibytes(256), age: milliseconds(250) };

interface EndedExchange {
  readonly exchange: FinishedExchange;
  readonly held: readonly HeldBody[];
}

class WarcArchive implements OpenArchive, RecordingOwner {
  readonly bodies: BodyStore;
  readonly secretHeaders: ReadonlySet<string>;
  readonly #folder: string;
  /** A worker's archive: gathering merges its index into that of the crawl. */
  readonly #isWorkers: boolean;
  readonly #files: WarcFiles;
  readonly #known: KnownPayloads;
  readonly #ended = new Batch<EndedExchange>(TOGETHER, (ended) => ended.forEach((one) => this.#append(one)));
  readonly #under = new Map<string, Set<HeldRecording>>();
  /** Callbacks for the end of an exchange, by URL. */
  readonly #awaited = new Map<string, (() => void)[]>();
  #failure: Error | null = null;
  #isClosed = false;

  constructor(folder: string, { options, bodies, known, files }: ArchiveParts) {
    this.#folder = folder;
    this.#isWorkers = (options.worker ?? null) !== null;
    this.bodies = bodies;
    this.#known = known;
    this.#files = files;
    this.secretHeaders = new Set(options.secretHeaders.map((name) => name.toLowerCase()));
  }

  begin(request: WireRequest): ExchangeRecording | null {
    if (this.#isClosed || this.#broken !== null) return null;
    const recording = new HeldRecording(request, this);
    const same = this.#under.get(request.url) ?? new Set();
    this.#under.set(request.url, same.add(recording));
    return recording;
  }

  get #broken(): Error | null {
    return this.#failure ?? this.#files.broken;
  }

  #throwIfBroken(): void {
    const broken = this.#broken;
    if (broken !== null) throw broken;
  }

  failed(error: unknown): void {
    this.#failure ??= diskError(error, this.#folder);
  }

  ended(recording: HeldRecording, exchange: FinishedExchange | null, held: readonly HeldBody[]): void {
    const { url } = recording.request;
    const same = this.#under.get(url);
    same?.delete(recording);
    if (same?.size === 0) this.#under.delete(url);
    if (exchange === null || this.#isClosed) dispose(held);
    else this.#ended.add({ exchange, held }, inMemory(held));
    const waiting = this.#awaited.get(url) ?? [];
    this.#awaited.delete(url);
    for (const notify of waiting) notify();
  }

  #append({ exchange, held }: EndedExchange): void {
    const { request, answer, answered, truncated } = exchange;
    const { url, startedAt } = request;
    const digest = answered.digests.payload();
    const { length } = answered.body;
    const same = truncated === null ? this.#known.same(digest, answer.status, length) : null;
    const unchanged = answer.status === 304 ? this.#known.whole(url) : null;
    const records = exchangeRecords(exchange, { same, unchanged });
    const stored = this.#file(records).finally(() => dispose(held));
    const place = stored.then((places) => placeAt(places, 0));
    place.catch(() => {}); // `sync` throws the error
    if (request.method !== 'GET') return;
    this.#known.noteAnswer(url, { recordId: records[0].head.id, startedAt, place });
    if (truncated !== null || same !== null || answer.status === 304) return;
    this.#known.notePayload({ url, date: startedAt, digest }, answer.status, length);
  }

  #file(records: readonly PlainRecord[]): Promise<readonly FiledPlace[]> {
    const filed = records.map((record) => this.#packed(record));
    const ready = filed.flatMap((record) => (record instanceof Promise ? [] : [record]));
    return this.#files.append(
      ready.length === filed.length ? ready : Promise.all(filed.map((record) => Promise.resolve(record))),
    );
  }

  #packed({ head, block, length, index }: PlainRecord): FiledRecord | Promise<FiledRecord> {
    const packed = packRecord(warcHeadBytes(head, length), block, () => this.bodies.newFile());
    return packed instanceof Promise ? packed.then((member) => ({ member, index })) : { member: packed, index };
  }

  async answer({ url, startedAt }: AskedAnswer, signal: AbortSignal): Promise<KnownAnswer | null> {
    const [address = ''] = url.split('#', 1);
    const known = this.#knownAnswer(address);
    if (known !== null && known.startedAt >= startedAt) return known;
    const isOnItsWay = [...(this.#under.get(address) ?? [])].some(({ request }) => request.method === 'GET');
    if (isOnItsWay) await this.#endOf(address, signal);
    return this.#knownAnswer(address);
  }

  #knownAnswer(url: string): KnownAnswer | null {
    this.#ended.flush();
    return this.#known.answer(url);
  }

  /** Waits for the end of an exchange of this URL; gives up if that takes too long. */
  async #endOf(url: string, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, END_WAIT);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
      this.#awaited.set(url, [...(this.#awaited.get(url) ?? []), end]);
    });
    signal.throwIfAborted();
  }

  async store(records: readonly PlainRecord[]): Promise<readonly ArchivedRecord[]> {
    this.#throwIfBroken();
    this.#ended.flush();
    return (await this.#file(records)).map(archivedRecord);
  }

  async sync(): Promise<void> {
    this.#throwIfBroken();
    this.#ended.flush();
    await this.#files.sync();
    this.#throwIfBroken();
  }

  async seal(): Promise<void> {
    this.#endAll();
    await this.sync();
    await this.#close();
    if (!this.#isWorkers) await cdxjSort(this.#folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  /** Ends exchanges under way, and keeps the parts that have arrived. */
  #endAll(): void {
    for (const same of [...this.#under.values()]) for (const recording of [...same]) recording.end('cancelled');
    this.#ended.flush();
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#endAll();
    this.#isClosed = true;
    await this.#files.close();
    this.bodies[Symbol.dispose]();
  }
}

/** A place in the form of crawl records. */
export function archivedRecord({ filename, offset, length }: FiledPlace): ArchivedRecord {
  return { file: `${ARCHIVE_FOLDER}/${filename}`, offset, length };
}

function placeAt(places: readonly FiledPlace[], index: number): FiledPlace {
  const place = places[index];
  if (place === undefined) throw new Error(`a record was filed without its place`);
  return place;
}

function inMemory(held: readonly HeldBody[]): number {
  return held.reduce((sum, { length, file }) => (file === null ? sum + length : sum), 0);
}

function dispose(held: readonly HeldBody[]): void {
  for (const body of held) body[Symbol.dispose]();
}

function openingRecord(info: WarcInfo, filename: string, clock: Clock): WarcMember | Promise<WarcMember> {
  const block = warcInfoBlock(info);
  const head = warcHeadBytes(
    {
      type: 'warcinfo',
      id: newRecordId(),
      date: clock.now(),
      targetUri: null,
      contentType: 'application/warc-fields',
      fields: [
        ['WARC-Filename', filename],
        ['WARC-Block-Digest', digestOf([block])],
      ],
    },
    block.length,
  );
  return packRecord(head, { pieces: [block], file: null, packed: false }, () => '');
}
