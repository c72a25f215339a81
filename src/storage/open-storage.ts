/**
 * Objects in an S3-compatible storage: written and read whole, one request each, path-style. A failed request is repeated a limited number of
 * times; then the caller must give up.
 */
import { createHash } from 'node:crypto';
import type { AwsClient } from 'aws4fetch';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { linkedAbort } from '../base/linked-abort.ts';
import { milliseconds, seconds, type Milliseconds } from '../base/units.ts';
import { loadS3, type S3Package } from './s3-package.ts';
import { storageAccess } from './storage-access.ts';
import { placeText, type StoragePlace } from './storage-place.ts';

export interface SnapshotStorage {
  /** `s3://bucket/prefix`, for people. */
  readonly name: string;
  /** Secrets that no log may repeat. */
  readonly secrets: readonly string[];
  /** Writes an object, replacing one with the same key. @param key relative to the place @throws {CrawlError} STORAGE_FAILED */
  readonly put: (key: string, content: string | Uint8Array, signal: AbortSignal) => Promise<void>;
  /** Reads an object; null where there is none. @throws {CrawlError} STORAGE_FAILED */
  get(key: string, signal: AbortSignal): Promise<Uint8Array | null>;
}

interface StorageNeeds {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Loader; default: the installed package. */
  readonly load?: () => Promise<S3Package>;
}

/** Time limit of one request; a snapshot is a few megabytes. */
const TRY_TIME: Milliseconds = seconds(30);
/** Pauses between tries, modelled on AWS' own clients: a storage that throttles or restarts is back after some seconds. */
const WAITS: readonly Milliseconds[] = [500, 1000, 2000, 4000].map(milliseconds);
/** Key of an object written before a crawl begins, and removed if that is allowed. */
const PROBE_KEY = 'orbweaver-probe.txt';
/** Most characters of a storage's error code and message. */
const WORDS = 200;

/** @throws {CrawlError} PACKAGE_MISSING, STORAGE_UNUSABLE where this machine has no key for the storage */
export async function openStorage(
  place: StoragePlace,
  { variables, clock, load }: StorageNeeds,
): Promise<SnapshotStorage & Probed> {
  const access = storageAccess(placeText(place), variables);
  const { AwsClient } = await loadS3(load);
  const client = new AwsClient({
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretAccessKey,
    ...(access.sessionToken === undefined ? {} : { sessionToken: access.sessionToken }),
    service: 's3',
    region: access.region,
    retries: 0,
  });
  return new Storage(place, { client, clock, endpoint: access.endpoint, secrets: secretsOf(access) });
}

function secretsOf({ secretAccessKey, sessionToken }: ReturnType<typeof storageAccess>): readonly string[] {
  return sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken];
}

interface Probed {
  /** Writes a test object as the crawl will. @throws {CrawlError} STORAGE_UNUSABLE */
  probe(signal: AbortSignal): Promise<void>;
}

interface StorageParts {
  readonly client: AwsClient;
  readonly clock: Clock;
  readonly endpoint: string;
  readonly secrets: readonly string[];
}

/** How one try ended. */
type Answer =
  | { readonly kind: 'answered'; readonly body: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly why: string; readonly status: number | null };

class Storage implements SnapshotStorage, Probed {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly #place: StoragePlace;
  readonly #parts: StorageParts;

  constructor(place: StoragePlace, parts: StorageParts) {
    this.name = placeText(place);
    this.secrets = parts.secrets;
    this.#place = place;
    this.#parts = parts;
  }

  readonly put: SnapshotStorage['put'] = async (key, content, signal) => {
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const answer = await this.#ask({ method: 'PUT', key, body }, () => true, signal);
    if (answer.kind !== 'answered') throw this.#failed(`could not be written: ${whyOf(answer)}`, key);
  };

  async get(key: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const answer = await this.#ask({ method: 'GET', key, body: null }, () => true, signal);
    if (answer.kind === 'failed') throw this.#failed(`could not be read: ${answer.why}`, key);
    return answer.kind === 'missing' ? null : answer.body;
  }

  async probe(signal: AbortSignal): Promise<void> {
    const body = Buffer.from('Written to see whether a crawl may write here.\n');
    // a refusal at the start is reported at once
    const isPassing = (status: number | null): boolean => status === null || status === 429 || status >= 500;
    const answer = await this.#ask({ method: 'PUT', key: PROBE_KEY, body }, isPassing, signal);
    if (answer.kind !== 'answered') {
      throw new CrawlError(
        'STORAGE_UNUSABLE',
        `the storage ${this.name} (${this.#parts.endpoint}) takes no snapshots: ${whyOf(answer)}\n` +
          'Check the bucket, what its key may do, AWS_ENDPOINT_URL and AWS_REGION; nothing was fetched.',
        { data: { storage: this.name } },
      );
    }
    await this.#try({ method: 'DELETE', key: PROBE_KEY, body: null }, signal); // whether deletion is allowed or not
  }

  async #ask(asked: Asked, isPassing: (status: number | null) => boolean, signal: AbortSignal): Promise<Answer> {
    for (let tried = 0; ; tried += 1) {
      const answer = await this.#try(asked, signal);
      const wait = WAITS[tried];
      if (answer.kind !== 'failed' || !isPassing(answer.status)) return answer;
      if (wait === undefined) return { ...answer, why: `${answer.why} (tried ${tried + 1} times)` };
      await this.#parts.clock.sleep(wait, signal);
    }
  }

  async #try({ method, key, body }: Asked, signal: AbortSignal): Promise<Answer> {
    const { client, endpoint } = this.#parts;
    const { bucket, prefix } = this.#place;
    const url = [endpoint, bucket, ...(prefix === '' ? [] : [prefix]), key].join('/');
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    using trying = linkedAbort(signal);
    const timer = setTimeout(() => trying.abort(new Error(`no answer within ${TRY_TIME / 1000} s`)), TRY_TIME);
    try {
      const headers = { 'x-amz-content-sha256': digest };
      const request = await client.sign(url, {
        method,
        headers,
        ...(body === null ? {} : { body: new Uint8Array(body) }),
      });
      const response = await fetch(request, { signal: trying.signal, redirect: 'manual' });
      const content = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return { kind: 'answered', body: content };
      const why = refusal(response.status, content);
      if (method === 'GET' && response.status === 404 && !/NoSuchBucket/.test(why)) return { kind: 'missing' };
      return { kind: 'failed', why, status: response.status };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'failed', why: networkFault(error), status: null };
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(why: string, key: string): CrawlError {
    return new CrawlError(
      'STORAGE_FAILED',
      `${placeText(this.#place, key)} ${why}\nSee to the storage (${this.#parts.endpoint}), then go on: what was stored before is safe.`,
      { data: { storage: this.name, key } },
    );
  }
}

interface Asked {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly key: string;
  readonly body: Uint8Array | null;
}

function whyOf(answer: Exclude<Answer, { readonly kind: 'answered' }>): string {
  return answer.kind === 'missing' ? 'not there' : answer.why;
}

/** `403 AccessDenied: Access Denied` */
function refusal(status: number, content: Uint8Array): string {
  const text = Buffer.from(content).toString('utf8');
  const field = (name: string): string =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]?.trim().slice(0, WORDS) ?? '';
  const [code, message] = [field('Code'), field('Message')];
  return [`${status}${code === '' ? '' : ` ${code}`}`, message].filter((part) => part !== '').join(': ');
}

/** The words of a network error: `fetch failed` says nothing, but its cause does. */
function networkFault(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
