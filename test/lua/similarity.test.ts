/** The similarity index in Redis: which page is the first, which pages are like it, and what remains of a page that changed. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { bandingFor, lowBytes } from '../../src/core/fingerprint/banding.ts';
import { NO_BOILERPLATE, withPage } from '../../src/core/fingerprint/boilerplate.ts';
import { linkSignatureOf } from '../../src/core/fingerprint/link-signature.ts';
import { superMinHash } from '../../src/core/fingerprint/minhash.ts';
import { openSimilarityIndex } from '../../src/dedup/redis-similarity-index.ts';
import type { ComparedPage, SimilarityIndex } from '../../src/dedup/similarity-index.ts';
import { storedHostKey } from '../../src/model/url/host-key.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { url } from '../support/frontier-nouns.ts';
import { memorySimilarityIndex } from '../support/memory-similarity.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
let keys: KeySpace;
let index: SimilarityIndex;

beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());
beforeEach(async () => {
  keys = redis.keys();
  index = await openSimilarityIndex({ client: redis.client, keys, threshold: 0.9 });
});

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

/** A page whose text has these shingles; the text itself is their list. */
function page(address: string, shingles: readonly number[], links: readonly string[] = []): ComparedPage {
  return {
    url: url(address),
    digest: createHash('sha256').update(shingles.join(' ')).digest('hex'),
    signature: shingles.length < 20 ? null : lowBytes(superMinHash(shingles)),
    linkSignature: linkSignatureOf(links),
  };
}

const names = async (room: string): Promise<readonly string[]> =>
  (await redis.client.keys(`${keys.key('s', room)}:*`)).toSorted();

/** Entries of a page: one for each band and one for its whole text. */
const PLACES = bandingFor(0.9).bands + 1;

/** Number of pages in the entries of a room. */
async function entries(room: 'band' | 'url' | 'page'): Promise<number> {
  let count = 0;
  for (const name of await names(room)) {
    const values = await redis.client.hvalsBuffer(name);
    for (const value of values) count += room !== 'page' && value[0] === 0x70 ? (value.length - 1) / 3 : 1;
  }
  return count;
}

describe('of two pages that are alike', () => {
  it('the second is like the first, and says how much', async () => {
    const shingles = range(0, 400);
    expect(await index.place(page('http://a.test/1', shingles))).toBeNull();
    expect(await index.place(page('http://a.test/2', shingles))).toMatchObject({
      url: 'http://a.test/1',
      similarity: 1,
      sameDomain: true,
    });
    const near = await index.place(page('http://a.test/3', [...range(0, 392), ...range(9000, 8)]));
    expect(near?.url).toBe('http://a.test/1');
    expect(Math.abs((near?.similarity ?? 0) - 392 / 408)).toBeLessThan(0.06);
    expect(await index.place(page('http://a.test/4', range(5000, 400)))).toBeNull();
  });

  it('one is the first and never both, though they come in the same moment', async () => {
    const connections = await Promise.all(range(0, 4).map(() => redis.connect()));
    const others = await Promise.all(
      connections.map(({ client }) => openSimilarityIndex({ client, keys, threshold: 0.9 })),
    );
    for (let round = 0; round < 50; round += 1) {
      const twins = others.map((each, at) => each.place(page(`http://a.test/${round}/${at}`, range(round * 1e4, 200))));
      const likes = await Promise.all(twins);
      expect(likes.filter((like) => like === null)).toHaveLength(1);
      expect(new Set(likes.flatMap((like) => (like === null ? [] : [like.url]))).size).toBe(1);
    }
    expect(await entries('page')).toBe(50);
  });

  it('of fewer than 20 shingles only equal ones are', async () => {
    expect(await index.place(page('http://a.test/1', range(0, 19)))).toBeNull();
    expect(await index.place(page('http://a.test/2', range(0, 18)))).toBeNull();
    expect(await index.place(page('http://a.test/3', range(0, 19)))).toMatchObject({ similarity: 1 });
    expect(await entries('band')).toBe(await entries('page')); // entries of their texts
  });

  it('the nearer comes before the less near, and the one with the same text before both', async () => {
    const text = range(0, 500);
    const far = [...range(0, 475), ...range(7000, 25)];
    const near = [...range(12, 488), ...range(8000, 12)];
    expect(await index.place(page('http://a.test/far', far))).toBeNull();
    expect(await index.place(page('http://a.test/near', near))).toBeNull();
    expect(await index.place(page('http://b.test/', text))).toMatchObject({ url: 'http://a.test/near' });
    expect(await index.place(page('http://b.test/near', near))).toMatchObject({ url: 'http://b.test/' });
    expect(await index.place(page('http://a.test/again', far))).toMatchObject({
      url: 'http://a.test/far',
      similarity: 1,
    });
  });
});

describe('a page', () => {
  it('is never like itself: settled twice, retried, resumed, it is what it was', async () => {
    const first = page('http://a.test/1', range(0, 300));
    const second = page('http://a.test/2', range(0, 300));
    for (let time = 0; time < 3; time += 1) {
      expect(await index.place(first)).toBeNull();
      expect(await index.place(second)).toMatchObject({ url: 'http://a.test/1' });
    }
    const again = await openSimilarityIndex({ client: redis.client, keys, threshold: 0.9 });
    expect(await again.place(first)).toBeNull();
    expect([await entries('page'), await entries('band')]).toEqual([1, PLACES]);
  });

  it('that has another text than before is found by the new one and no longer by the old one', async () => {
    await index.place(page('http://a.test/1', range(0, 300)));
    expect(await index.place(page('http://a.test/1', range(5000, 300)))).toBeNull();
    expect(await index.place(page('http://a.test/new', range(5000, 300)))).toMatchObject({ url: 'http://a.test/1' });
    expect(await index.place(page('http://a.test/old', range(0, 300)))).toBeNull();
  });

  it('that becomes like another leaves nothing behind', async () => {
    await index.place(page('http://a.test/1', range(0, 300)));
    await index.place(page('http://a.test/2', range(5000, 300)));
    expect(await index.place(page('http://a.test/2', range(0, 300)))).toMatchObject({ url: 'http://a.test/1' });
    expect([await entries('page'), await entries('url'), await entries('band')]).toEqual([1, 1, PLACES]);
  });

  it('is told of a like page in another domain, and is found by its own domain all the same', async () => {
    const victim = range(0, 300);
    await index.place(page('http://mirror.test/stolen', victim));
    expect(await index.place(page('http://victim.test/', victim))).toMatchObject({
      url: 'http://mirror.test/stolen',
      sameDomain: false,
    });
    expect(await index.place(page('http://www.victim.test/copy', victim))).toMatchObject({
      url: 'http://victim.test/',
      sameDomain: true,
    });
    const near = [...range(0, 296), ...range(800, 4)];
    expect(await index.place(page('http://victim.test/near', near))).toMatchObject({
      url: 'http://victim.test/',
      sameDomain: true,
    });
  });

  it('is told how the links of the other look', async () => {
    const links = range(0, 40).map((at) => `http://a.test/x/${at}`);
    await index.place(page('http://a.test/1', range(0, 300), links));
    const elsewhere = links.map((link) => link.replace('/x/', '/y/'));
    const same = await index.place(page('http://a.test/2', range(0, 300), elsewhere));
    expect(same?.linkSignature).toEqual({ count: 40, same: true, equal: 24 });
    const others = range(100, 30).map((at) => `http://a.test/x/${at}`);
    const different = await index.place(page('http://a.test/3', range(0, 300), others));
    expect(different?.linkSignature).toMatchObject({ count: 40, same: false });
    expect(different?.linkSignature.equal).toBeLessThan(4);
  });
});

describe('the index', () => {
  it('answers as one does that compares every page with every other', async () => {
    const random = seededRandom(11);
    const below = (limit: number): number => Math.floor(random() * limit);
    const model = memorySimilarityIndex(0.9);
    const families = range(0, 12).map((family) => range(family * 1e5, 250));
    let alike = 0;
    for (let step = 0; step < 600; step += 1) {
      const family = families[below(families.length)] ?? [];
      const changed = [0, 0, 2, 80, 200][below(5)] ?? 0;
      const shingles = [...family.slice(changed), ...range(below(3) * 1e7, changed)];
      const visited = page(`http://${['a', 'b.a', 'c'][below(3)]}.test/${below(200)}`, shingles);
      const [real, expected] = [await index.place(visited), await model.place(visited)];
      expect(real).toEqual(expected);
      if (real !== null) alike += 1;
    }
    expect(alike).toBeGreaterThan(200);
  });

  it('has an entry for each band of each first page, whatever came and changed', async () => {
    const random = seededRandom(5);
    for (let step = 0; step < 300; step += 1) {
      const from = Math.floor(random() * 40) * 1000;
      await index.place(page(`http://a.test/${Math.floor(random() * 60)}`, range(from, 120)));
    }
    const heads = await entries('page');
    expect(await entries('band')).toBe(heads * PLACES);
    expect(await entries('url')).toBe(heads);
  });

  it('keeps what the pages of a host share, through a resume', async () => {
    const host = storedHostKey('http://a.test');
    expect(await index.boilerplateOf(host)).toEqual(NO_BOILERPLATE);
    const boilerplate = withPage(withPage(NO_BOILERPLATE, ['Home', 'One']), ['Home', 'Two']);
    await index.keepBlocks(host, boilerplate);
    const again = await openSimilarityIndex({ client: redis.client, keys, threshold: 0.9 });
    expect(await again.boilerplateOf(host)).toEqual(boilerplate);
  });

  it('of a crawl with other bands is not opened', async () => {
    await expect(openSimilarityIndex({ client: redis.client, keys, threshold: 0.7 })).rejects.toMatchObject({
      code: 'STATE_LOST',
    });
  });
});
