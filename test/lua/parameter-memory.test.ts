/** Learnt facts about parameters, in Redis: kept, shared by workers, undone, and available to a resumed crawl. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addressOf } from '../../src/core/folding/address.ts';
import { parameterRules } from '../../src/model/url/url-parameters.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import type { ParameterMemory } from '../../src/traps/parameter-memory.ts';
import { openParameterMemory } from '../../src/traps/redis-parameter-memory.ts';
import { url } from '../support/frontier-nouns.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
let keys: KeySpace;
let memory: ParameterMemory;

beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());
beforeEach(() => {
  keys = redis.keys();
  memory = open();
});

const open = (keep: readonly string[] = []): ParameterMemory =>
  openParameterMemory({ client: redis.client, keys, parameters: parameterRules({ remove: [], keep }) });

const at = (path: string) => url(`http://a.test/docs${path}`);
const say = (path: string, content: number, rendered = false): Promise<void> =>
  memory.learn({ address: addressOf(at(path)), content, places: [], rendered });
const PAGES = ['/a', '/b', '/c'];
/** A URL outside the sample. */
const ASKED = '/d?ref=x';

/** Learns three pages that say the same for two values, and two URLs of a fourth. */
async function learnt(): Promise<void> {
  for (const [index, page] of PAGES.entries())
    for (const query of ['', '?ref=x', '?ref=y']) await say(page + query, index);
  for (const query of ['', '?ref=y']) await say(`/d${query}`, 9);
}

it('says of each URL why it need not be visited, in the order asked', async () => {
  await learnt();
  const urls = ['/d', ASKED, '/e?ref=x', '/d?ref=z', '/d?ref=y'].map(at);
  const folds = await memory.foldsOf(urls);
  expect(folds.map((fold) => fold?.rule ?? null)).toEqual([
    null,
    'parameter ref changes nothing, on pages like http://a.test/docs/*',
    null,
    null,
    null,
  ]);
  expect(await memory.foldedFamilies()).toMatchObject([
    { pattern: 'http://a.test/docs/*', parameters: ['ref'], hasPlaces: false, compared: 7 },
  ]);
  expect(await memory.undone()).toEqual([]);
});

it('knows nothing of other hosts and patterns', async () => {
  await learnt();
  expect(await memory.foldsOf([url('http://b.test/docs/d?ref=x'), url('http://a.test/other/d?ref=x')])).toEqual([
    null,
    null,
  ]);
});

it('tells what is undone until it was taken back, and folds no more', async () => {
  await learnt();
  const [fold] = await memory.foldsOf([at(ASKED)]);
  await say('/a?ref=z', 100);
  expect(await memory.undone()).toEqual([fold?.id]);
  expect(await memory.foldsOf([at(ASKED)])).toEqual([null]);
  expect(await memory.foldedFamilies()).toEqual([]);
  await memory.takenBack(fold?.id ?? '');
  expect(await memory.undone()).toEqual([]);
});

it('is known to a crawl that goes on', async () => {
  await learnt();
  const [before] = await memory.foldsOf([at(ASKED)]);
  memory = open();
  expect(await memory.foldsOf([at(ASKED)])).toEqual([before]);
  expect(before).not.toBe(null);
});

it('learns the same from many workers at a time as from one', async () => {
  await Promise.all(PAGES.flatMap((page, index) => ['', '?ref=x', '?ref=y'].map((query) => say(page + query, index))));
  await say('/d', 9);
  await say('/d?ref=y', 9);
  expect(await memory.foldsOf([at(ASKED)])).not.toEqual([null]);
});

it('does not compare a page that was rendered with one that was read', async () => {
  for (const [index, page] of PAGES.entries())
    for (const query of ['', '?ref=x', '?ref=y'])
      await say(page + query, index + (query === '' ? 0 : 50), query !== '');
  expect(await memory.undone()).toEqual([]);
  await say('/d?ref=y', 9, true);
  await say('/d?ref=w', 9, true);
  expect(await memory.foldsOf([at(ASKED)])).not.toEqual([null]);
});

it('folds nothing that the user keeps, on a host or everywhere', async () => {
  await learnt();
  for (const keep of ['ref', 'ref@a.test', '*']) {
    memory = open([keep]);
    expect(await memory.foldsOf([at(ASKED)])).toEqual([null]);
  }
  memory = open(['ref@b.test']);
  expect(await memory.foldsOf([at(ASKED)])).not.toEqual([null]);
});

it('stops at a thousand patterns of a host', async () => {
  const letters = (number: number): string =>
    number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
  for (let index = 0; index < 1100; index += 1)
    await memory.learn({
      address: addressOf(url(`http://a.test/${letters(index + 10_000)}/a`)),
      content: 1,
      places: [],
      rendered: false,
    });
  expect(await redis.client.hlen(keys.key('t', 'parameters:http://a.test'))).toBe(1024);
});
