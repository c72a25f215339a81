/** The similarity index in Redis: lua/place.lua makes all decisions; this file shapes arguments and reads replies. */
import { hash } from 'node:crypto';
import { CrawlError } from '../base/errors.ts';
import { bandingFor, equalBytesFor, similarityOfBytes, type Banding } from '../core/fingerprint/banding.ts';
import { BLOCK_LIMIT, NO_BOILERPLATE, type BoilerplateCounts } from '../core/fingerprint/boilerplate.ts';
import type { LinkSignature } from '../core/fingerprint/link-signature.ts';
import type { LikePage } from '../core/fingerprint/verdict.ts';
import { hostKeyOf, pathOf, registrableDomainOf, type HostKey } from '../model/url/host-key.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import { SIMILARITY_NAMESPACE } from './keys.ts';
import type { ComparedPage, SimilarityIndex } from './similarity-index.ts';

/** Version of the key layout; an index of another version is not touched. */
const LAYOUT = '2';
/** Lengths in bytes of the stored hashes of a text, a URL and a domain. */
const DIGEST_BYTES = 6;
const URL_BYTES = 6;
const DOMAIN_BYTES = 3;
/** Bytes of a line's hash and of its number of pages. */
const BLOCK_BYTES = 5;

interface SimilarityIndexOptions {
  readonly client: RedisClient;
  readonly keys: KeySpace;
  /** Least similarity of near-duplicate pages, 0.5 to 1; the same for the whole of a crawl. */
  readonly threshold: number;
}

/**
 * Opens the index of a crawl, or creates it. The caller keeps ownership of the client.
 * @throws {CrawlError} STATE_LOST where it was made by another version, or for another threshold
 */
export async function openSimilarityIndex(options: SimilarityIndexOptions): Promise<SimilarityIndex> {
  const { client, keys, threshold } = options;
  const meta = keys.key(SIMILARITY_NAMESPACE, 'meta');
  const banding = bandingFor(threshold);
  const layout = `${LAYOUT} ${banding.bands}x${banding.rows}`;
  await client.hsetnx(meta, 'layout', layout);
  const found = await client.hget(meta, 'layout');
  if (found === layout) return new RedisSimilarityIndex(client, meta, threshold, banding);
  throw new CrawlError(
    'STATE_LOST',
    `The similarity index of the crawl ${keys.crawl} was made by another version of the program, or for another --near-duplicates (${found}, here ${layout}).\nResume it as it was begun, or crawl again with --overwrite.`,
    { data: { crawl: keys.crawl } },
  );
}

type PlaceArg =
  | 'host'
  | 'path'
  | 'urlHash'
  | 'digest'
  | 'domain'
  | 'linkSignature'
  | 'signature'
  | 'bands'
  | 'rows'
  | 'needed';

interface Found extends Omit<LikePage, 'similarity'> {
  readonly exact: boolean;
  /** Number of equal signature bytes. */
  readonly equal: number;
}

const PLACE: LuaScript<'meta', PlaceArg, Found | null> = luaScript(new URL('./lua/place.lua', import.meta.url), {
  keys: ['meta'],
  args: ['host', 'path', 'urlHash', 'digest', 'domain', 'linkSignature', 'signature', 'bands', 'rows', 'needed'],
  reply: (raw) => {
    const [kind, exact, equal, sameDomain, count, sameTails, equalTails, url] = listOf(raw);
    if (kind === 'first') return null;
    return {
      url: replyText(url),
      exact: yesOrNo(exact),
      equal: wholeOf(equal),
      sameDomain: yesOrNo(sameDomain),
      linkSignature: { count: wholeOf(count), same: yesOrNo(sameTails), equal: wholeOf(equalTails) },
    };
  },
});

class RedisSimilarityIndex implements SimilarityIndex {
  readonly #client: RedisClient;
  readonly #meta: string;
  readonly #settings: Readonly<Record<'bands' | 'rows' | 'needed', number>>;

  constructor(client: RedisClient, meta: string, threshold: number, banding: Banding) {
    this.#client = client;
    this.#meta = meta;
    this.#settings = { ...banding, needed: equalBytesFor(threshold) };
  }

  async place({ url, digest, signature, linkSignature }: ComparedPage): Promise<LikePage | null> {
    const args = {
      host: hostKeyOf(url),
      path: pathOf(url),
      urlHash: sha1(url).subarray(0, URL_BYTES),
      digest: Buffer.from(digest.slice(0, 2 * DIGEST_BYTES), 'hex'),
      domain: sha1(registrableDomainOf(url)).subarray(0, DOMAIN_BYTES),
      linkSignature: packedLinkSignature(linkSignature),
      signature: Buffer.from(signature ?? []),
      ...this.#settings,
    };
    const found = await PLACE.run(this.#client, { meta: this.#meta }, args);
    if (found === null) return null;
    const { exact, equal, ...like } = found;
    return { ...like, similarity: exact ? 1 : similarityOfBytes(equal) };
  }

  async boilerplateOf(host: HostKey): Promise<BoilerplateCounts> {
    const bytes = await this.#client.getBuffer(this.#boilerplateKey(host));
    return bytes === null ? NO_BOILERPLATE : unpackedBoilerplate(bytes);
  }

  async keepBlocks(host: HostKey, boilerplate: BoilerplateCounts): Promise<void> {
    await this.#client.set(this.#boilerplateKey(host), packedBoilerplate(boilerplate));
  }

  #boilerplateKey(host: HostKey): string {
    return `${this.#meta.slice(0, -'meta'.length)}boilerplate:${host}`;
  }
}

function sha1(text: string): Buffer {
  return Buffer.from(hash('sha1', text, 'hex'), 'hex');
}

/** The form that lua/includes/page.lua reads: count, digest, sketch. */
function packedLinkSignature({ count, digest, sketch }: LinkSignature): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(count, 0);
  head.writeUInt32BE(digest, 2);
  return Buffer.concat([head, sketch]);
}

function packedBoilerplate({ pages, counts }: BoilerplateCounts): Buffer {
  const bytes = Buffer.alloc(1 + Math.min(BLOCK_LIMIT, counts.size) * BLOCK_BYTES);
  bytes.writeUInt8(pages, 0);
  let at = 1;
  for (const [line, count] of counts) {
    if (at === bytes.length) break;
    bytes.writeUInt32BE(line, at);
    bytes.writeUInt8(count, at + 4);
    at += BLOCK_BYTES;
  }
  return bytes;
}

function unpackedBoilerplate(bytes: Buffer): BoilerplateCounts {
  const counts = new Map<number, number>();
  for (let at = 1; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) {
    counts.set(bytes.readUInt32BE(at), bytes.readUInt8(at + 4));
  }
  return { pages: bytes[0] ?? 0, counts };
}
