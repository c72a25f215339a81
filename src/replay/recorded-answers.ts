/** Finds a crawl's recorded answers by request: the index of its archive is in memory, the answers on disk. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import type { Headers } from '../model/page.ts';
import { filesIn } from '../warc/archive-folder.ts';
import { ARCHIVE_FOLDER, INDEX_FILE, INDEX_JOURNAL, workerOfJournal } from '../warc/archive-names.ts';
import { readIndexLine, REVISIT_MIME, type StoredIndexLine } from '../warc/cdxj-line.ts';
import { postQuery } from '../warc/post-query.ts';
import { decodedPayload, readRecord, type ReadRecord } from '../warc/warc-reader.ts';

export interface RecordedAnswer {
  readonly status: number;
  /** Headers as sent. */
  readonly headers: Headers;
  /** Body without its codings, as far as it could be decoded; as it was recorded where nothing of it could. */
  readonly body: Uint8Array;
  /** Content codings that the body still has; null where it has none. */
  readonly coding: string | null;
}

interface AskedFor {
  readonly method: string;
  /** Absolute URL as requested. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string;
}

type Place = Pick<StoredIndexLine, 'filename' | 'offset' | 'length' | 'digest' | 'status' | 'mime' | 'requestBody'>;

const NOT_MODIFIED = 304;

export class RecordedAnswers {
  readonly #folder: string;
  /** Places by method and URL, in the order of recording. */
  readonly #places = new Map<string, Place[]>();
  /** Place of the record with a payload, by digest. */
  readonly #payloads = new Map<string, Place>();
  readonly #origins = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws {CrawlError} NOT_STORED where the crawl has no archive, or one without an index */
  static async open(folder: string): Promise<RecordedAnswers> {
    const answers = new RecordedAnswers(folder);
    for (const index of await indexesOf(folder)) {
      const lines = createInterface({ input: createReadStream(index, 'utf8'), crlfDelay: Infinity });
      for await (const line of lines) {
        const entry = readIndexLine(line);
        if (entry !== null) answers.#add(entry);
      }
    }
    return answers;
  }

  /** Origins that answered, in the order of the index. */
  get origins(): readonly string[] {
    return [...this.#origins];
  }

  /**
   * The last recorded answer; for a request with a body, preferably one for the same body. Null where there is none.
   * @throws {CrawlError} ARCHIVE_DAMAGED
   */
  async find({ method, url, body, contentType }: AskedFor): Promise<RecordedAnswer | null> {
    const asked = method === 'HEAD' && !this.#places.has(keyOf('HEAD', url)) ? 'GET' : method;
    const all = this.#places.get(keyOf(asked, url)) ?? [];
    const query = body.length === 0 ? undefined : postQuery(body, contentType);
    const like = all.filter(({ requestBody }) => query === undefined || requestBody === query);
    const among = like.length === 0 ? all : like;
    const place = among.findLast(({ status }) => status !== NOT_MODIFIED) ?? among.at(-1);
    return place === undefined ? null : this.#read(place);
  }

  #add(entry: StoredIndexLine): void {
    const origin = /^https?:/.test(entry.url) ? parsedUrl(entry.url)?.origin : undefined;
    if (origin === undefined) return; // content made from a page
    this.#origins.add(origin);
    const { filename, offset, length, digest, status, mime, requestBody } = entry;
    const place: Place = { filename, offset, length, digest, status, mime, requestBody };
    const key = keyOf(entry.method ?? 'GET', entry.url);
    const places = this.#places.get(key);
    if (places === undefined) this.#places.set(key, [place]);
    else places.push(place);
    if (digest !== null && mime !== REVISIT_MIME) this.#payloads.set(digest, place);
  }

  async #read(place: Place): Promise<RecordedAnswer | null> {
    const record = await this.#record(place);
    if (record.httpStatus === null || record.httpStatus < 200 || record.httpStatus > 599) return null;
    const first = place.mime === REVISIT_MIME && place.digest !== null ? this.#payloads.get(place.digest) : undefined;
    const payload = first === undefined ? record : await this.#record(first);
    const { kind, bytes } = await decodedPayload(payload);
    const coding = kind === 'coded' ? codingOf(payload) : null;
    return { status: record.httpStatus, headers: record.httpHeaders, body: bytes, coding };
  }

  #record({ filename, offset, length }: Place): Promise<ReadRecord> {
    return readRecord(this.#folder, { file: `${ARCHIVE_FOLDER}/${filename}`, offset, length });
  }
}

function codingOf({ httpHeaders }: ReadRecord): string {
  const values = httpHeaders.filter(([name]) => name === 'content-encoding').map(([, value]) => value);
  return values.join(', ');
}

/** Key of a request, without the fragment, which is never sent. */
function keyOf(method: string, url: string): string {
  return `${method} ${url.split('#', 1)[0] ?? ''}`;
}

/** Indexes of an archive: the sorted one of an ended crawl, else the journal; and those of workers that were not gathered. */
async function indexesOf(folder: string): Promise<readonly string[]> {
  const archive = join(folder, ARCHIVE_FOLDER);
  const names = await filesIn(archive);
  const own = [INDEX_FILE, INDEX_JOURNAL].find((name) => names.includes(name));
  const workers = names.filter((name) => workerOfJournal(name) !== null);
  if (own !== undefined) return [own, ...workers].map((name) => join(archive, name));
  throw new CrawlError(
    'NOT_STORED',
    `${folder} has no archive that could be served again\nCrawl with --snapshot warc to have one.`,
    { data: { folder } },
  );
}
