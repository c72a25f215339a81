/** Finds a crawl's recorded answers by request: the index of its archive is in memory, the answers on disk. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import type { Headers } from '../model/page.ts';
import { canonicalUrl } from '../model/url/canonical-url.ts';
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
  /** Does it look like the answer to an OPTIONS or HEAD request? Some indexes have these as answers to GET. */
  readonly isBare: boolean;
}

interface AskedFor {
  readonly method: string;
  /** Absolute URL as requested. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The part that is asked for, as `bytes=0-`; default: all. */
  readonly range?: string;
}

type Place = Pick<
  StoredIndexLine,
  'date' | 'filename' | 'offset' | 'length' | 'digest' | 'status' | 'mime' | 'requestBody'
>;

/** Most pages that a recording without a list of pages begins at (arbitrary). */
const FIRST = 20;
const OK = 200;
const PART = 206;
const NOT_MODIFIED = 304;
/** Most records that are read for one request: the last ones may be of no use (arbitrary). */
const TRIED = 32;

export class RecordedAnswers {
  readonly #folder: string;
  /** Places by method and URL, in the order of the indexes. */
  readonly #places = new Map<string, Place[]>();
  /** Place of the record with a payload, by digest. */
  readonly #payloads = new Map<string, Place>();
  readonly #origins = new Set<string>();
  /** The first pages of the index. */
  readonly firstPages: string[] = [];

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
   * The last recorded answer that can be read; for a request with a body, preferably one for the same body. Null where there is none.
   * @throws {CrawlError} ARCHIVE_DAMAGED, NOT_GATHERED where none of those that were recorded can be read
   */
  async find({ method, url, body, contentType, range = '' }: AskedFor): Promise<RecordedAnswer | null> {
    const asked = method === 'HEAD' && !this.#places.has(keyOf('HEAD', url)) ? 'GET' : method;
    const all = this.#places.get(keyOf(asked, url)) ?? this.#placesOfCanonical(asked, url);
    const query = body.length === 0 ? undefined : postQuery(body, contentType);
    const like = all.filter(({ requestBody }) => query === undefined || isSameQuery(requestBody, query));
    let bare: RecordedAnswer | null = null;
    let lost: CrawlError | null = null;
    for (const place of inOrder(like.length === 0 ? all : like, range !== '').slice(0, TRIED)) {
      const answer = await this.#read(place).catch(faultOfRecord);
      if (answer instanceof CrawlError) lost ??= answer;
      if (answer === null || answer instanceof CrawlError || !isWanted(answer, range)) continue;
      if (asked !== 'GET' || !answer.isBare) return answer;
      bare ??= answer;
    }
    if (bare === null && lost !== null) throw lost;
    return bare;
  }

  /** Was an answer to such a request recorded, whatever its body? */
  holds(method: string, url: string): boolean {
    return this.#places.has(keyOf(method, url));
  }

  /** A page's links may have parameters of campaigns and sessions, without which the crawl visited their targets. */
  #placesOfCanonical(method: string, url: string): readonly Place[] {
    const canonical = method === 'GET' ? canonicalUrl(url) : null;
    return canonical === null ? [] : (this.#places.get(keyOf(method, canonical)) ?? []);
  }

  #add(entry: StoredIndexLine): void {
    const origin = /^https?:/i.test(entry.url) ? parsedUrl(entry.url)?.origin : undefined;
    if (origin === undefined) return; // content made from a page
    this.#origins.add(origin);
    const { date, filename, offset, length, digest, status, mime, requestBody } = entry;
    const place: Place = { date, filename, offset, length, digest, status, mime, requestBody };
    // a file that was put into the archive has no status
    const isPage = (status === OK || status === null) && mime === 'text/html' && entry.method === undefined;
    if (isPage && this.firstPages.length < FIRST) this.firstPages.push(entry.url);
    const key = keyOf(entry.method ?? 'GET', entry.url);
    const places = this.#places.get(key);
    if (places === undefined) this.#places.set(key, [place]);
    else places.push(place);
    if (digest !== null && mime !== REVISIT_MIME) this.#payloads.set(bareDigest(digest), place);
  }

  /** Null where the record is no answer, or one whose payload is in another archive. */
  async #read(place: Place): Promise<RecordedAnswer | null> {
    const record = await this.#record(place);
    const { type, contentType } = record;
    if (type === 'resource') {
      const content = contentType === null ? [] : [['content-type', contentType] as const];
      return { status: OK, headers: content, body: record.payload, coding: null, isBare: false };
    }
    const first = type === 'revisit' ? this.#firstOf(record, place) : undefined;
    const payload = first === undefined ? record : await this.#record(first);
    // some tools write revisits without a head (WARC 1.1, section 6.7.2): the answer was the same
    const head = record.httpStatus === null ? payload : record;
    const { httpStatus: status, httpHeaders: headers } = head;
    if (status === null || status < 200) return null;
    // empty payloads are all the same, and the target of another address's redirect is not that of this one
    if (head !== record && isRedirect(status) && payload.targetUri !== record.targetUri) return null;
    // a redirect needs no payload, and a 304 has none
    if (type === 'revisit' && first === undefined && !isRedirect(status)) return null;
    const { kind, bytes } = await decodedPayload(payload);
    const isBare = payload.payload.length === 0 && isOfOtherMethod(head);
    if (kind !== 'whole' && isPlain(payload)) return { status, headers, body: payload.payload, coding: null, isBare };
    return { status, headers, body: bytes, coding: kind === 'coded' ? codingOf(payload) : null, isBare };
  }

  /** The record with the payload of a revisit: by the digest, else by the address that the revisit names. Where its head is wanted, too, the address comes first. */
  #firstOf({ refersTo, fields, httpStatus }: ReadRecord, { digest }: Place): Place | undefined {
    const own = digest ?? fields.find(([name]) => name === 'warc-payload-digest')?.[1];
    const same = own === undefined ? undefined : this.#payloads.get(bareDigest(own));
    const named = refersTo === null ? undefined : this.#places.get(keyOf('GET', refersTo.uri));
    const first = named?.findLast(({ mime }) => mime !== REVISIT_MIME);
    return httpStatus === null ? (first ?? same) : (same ?? first);
  }

  #record({ filename, offset, length }: Place): Promise<ReadRecord> {
    return readRecord(this.#folder, { file: `${ARCHIVE_FOLDER}/${filename}`, offset, length });
  }
}

/** The fault of records that cannot be read. */
export function faultOfRecord(error: unknown): CrawlError {
  if (error instanceof CrawlError) return error;
  throw error;
}

/** Also a 304, for all that matters here. */
function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399;
}

function codingOf({ httpHeaders }: ReadRecord): string {
  const values = httpHeaders.filter(([name]) => name === 'content-encoding').map(([, value]) => value);
  return values.join(', ');
}

/** Do the headers of an answer without content tell that it is to a preflight request, or that a GET would have had content? */
function isOfOtherMethod({ httpStatus, httpHeaders }: ReadRecord): boolean {
  if (httpStatus === null || isRedirect(httpStatus)) return false;
  return httpHeaders.some(
    ([name, value]) => name === 'access-control-allow-methods' || (name === 'content-length' && Number(value) > 0),
  );
}

/** Are both what a form sent? Some indexes have it decoded. */
function isSameQuery(one: string | undefined, other: string): boolean {
  return one === other || (one !== undefined && decodedQuery(one) === decodedQuery(other));
}

function decodedQuery(query: string): string {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '));
  } catch {
    return query;
  }
}

const GZIP_MAGIC = [0x1f, 0x8b];

/** Is a payload that cannot be decoded plain, whatever its headers say? Some recorders undo codings and keep the header. Nothing coded is UTF-8. */
function isPlain(record: ReadRecord): boolean {
  const { payload } = record;
  if (isUtf8(payload)) return true;
  return /gzip\s*$/i.test(codingOf(record)) && GZIP_MAGIC.some((byte, at) => payload[at] !== byte);
}

/** Key of a request, without the fragment, which is never sent; tools spell addresses differently. */
function keyOf(method: string, url: string): string {
  return `${method} ${(parsedUrl(url)?.href ?? url).split('#', 1)[0] ?? ''}`;
}

/** Indexes name digests with and without the label of their algorithm, and hexadecimal ones in either case. */
function bareDigest(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1).toUpperCase();
}

/** The order in which answers are tried: the last one first. One without content, or with a part of it, comes after others. */
function inOrder(places: readonly Place[], wantsPart: boolean): readonly Place[] {
  const rank = ({ status }: Place): number =>
    status === NOT_MODIFIED ? 2 : status === PART ? (wantsPart ? -1 : 1) : 0;
  return places.toSorted((one, other) => rank(one) - rank(other) || recordedAfter(one, other));
}

/**
 * Positive where the first was recorded earlier. An index knows seconds, and sorts what lies within one by its fields; a file is in the
 * order of recording.
 */
function recordedAfter(one: Place, other: Place): number {
  if (one.date !== other.date) return other.date - one.date;
  if (one.filename !== other.filename) return one.filename < other.filename ? 1 : -1;
  return other.offset - one.offset;
}

/** A part must begin where the request wants it, or at the start where the request is for all, and no other answer is there. */
function isWanted({ status, headers }: RecordedAnswer, range: string): boolean {
  const wanted = range === '' ? '0' : /^bytes=(\d+)-/i.exec(range)?.[1];
  const content = headers.find(([name]) => name === 'content-range')?.[1] ?? '';
  const start = /^bytes (\d+)-/i.exec(content)?.[1];
  return status !== PART || wanted === undefined || start === undefined || start === wanted;
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
