/** The memory of hosts' content in Redis: new content, suspect groups of pages, and their treatment. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contentSketch } from '../../src/core/fingerprint/content-sketch.ts';
import { storedHostKey } from '../../src/model/url/host-key.ts';
import type { KeySpace } from '../../src/redis/key-space.ts';
import { openTrapMemory } from '../../src/traps/redis-trap-memory.ts';
import type { TrapMemory, PagePlace, Remembered } from '../../src/traps/trap-memory.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
let keys: KeySpace;
let memory: TrapMemory;

beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());
beforeEach(() => {
  keys = redis.keys();
  memory = openTrapMemory({ client: redis.client, keys });
});

const HOST = storedHostKey('http://a.test');
const place = (pattern = '/x/*', host = HOST): PagePlace => ({ host, pattern, folder: '/x/' });
const sketch = (text: string, ...pictures: readonly string[]) =>
  contentSketch(text.split('\n'), 'http://a.test/0', pictures);
const recall = (text: string, pattern?: string): Promise<Remembered> => memory.recall(place(pattern), sketch(text));

/** Recalls pages that say nothing new until a probe is due. @returns the number of pages, and the last answer */
async function untilAsked(text: string, pattern?: string, most = 200): Promise<readonly [number, Remembered]> {
  for (let page = 1; page <= most; page += 1) {
    const found = await recall(text, pattern);
    if (found.standing.kind === 'probe') return [page, found];
  }
  throw new Error('nobody was told to ask');
}

const PROBE = 'http://a.test/x/probe';
const sent = (name: string, pattern?: string) => ({ asked: PROBE, place: place(pattern), name });
const infinite = () => ({ kind: 'infinite', sketch: sketch('Nothing here') }) as const;
const nameOf = ({ standing }: Remembered): string => (standing.kind === 'probe' ? standing.name : '');

describe('a page says something new', () => {
  it('when it is the first to say it, and not when it is said again, in whatever order', async () => {
    expect(await recall('There is a kettle\nand a lamp')).toMatchObject({ saysNew: true, showsNew: false });
    expect(await recall('and a lamp\nThere is a kettle')).toMatchObject({ saysNew: false });
    expect(await recall('There is a rug')).toMatchObject({ saysNew: true });
  });

  it('for each host by itself', async () => {
    const other = storedHostKey('http://b.test');
    await recall('There is a kettle');
    expect(await memory.recall(place('/x/*', other), sketch('There is a kettle'))).toMatchObject({ saysNew: true });
  });

  it('and shows something new when it is the first with a picture', async () => {
    expect(await memory.recall(place(), sketch('Picture', 'http://a.test/1.png'))).toMatchObject({ showsNew: true });
    expect(await memory.recall(place(), sketch('Picture', 'http://a.test/2.png'))).toMatchObject({
      saysNew: false,
      showsNew: true,
    });
    expect(await memory.recall(place(), sketch('Picture', 'http://a.test/1.png'))).toMatchObject({ showsNew: false });
  });

  it('is remembered in bounded memory, what is said again and again above all', async () => {
    const text = (page: number): string =>
      Array.from(
        { length: 100 },
        (_, at) =>
          `w${'abcdefghijklmnopqrst'.charAt(at % 20)}${page.toString(2).replaceAll('0', 'o').replaceAll('1', 'i')}${at.toString(2).replaceAll('0', 'o').replaceAll('1', 'i')}`,
      ).join('\n');
    for (let page = 0; page < 900; page += 1) {
      await recall(text(page));
      if (page % 20 === 0) await recall('There are no events');
    }
    expect(await recall('There are no events')).toMatchObject({ saysNew: false });
    expect(await recall(text(0))).toMatchObject({ saysNew: true });
    const bytes = await Promise.all(
      ['said', 'said-before'].map((name) => redis.client.strlen(keys.key('s', `${name}:${HOST}`))),
    );
    expect(Math.max(...bytes)).toBeLessThanOrEqual(2 ** 18 / 8);
  });
});

describe('a group of pages that say nothing new', () => {
  it('is suspect from its twenty-fifth page on, and one is told to ask', async () => {
    await recall('No events');
    const [pages, asked] = await untilAsked('No events');
    expect(pages).toBe(25);
    expect(asked.standing).toMatchObject({ kind: 'probe', of: 'address' });
    expect((await recall('No events')).standing).toEqual({ kind: 'none' });
  });

  it('keeps what its probe asks until the answer is kept', async () => {
    const question = { ...sent('text 1'), of: 'address', words: [1, 2], named: [-3, 4] } as const;
    expect(await memory.questionOf(PROBE)).toBeNull();
    await memory.keepQuestion(question);
    expect(await memory.questionOf(PROBE)).toEqual(question);
    await memory.keepAnswer(question, { kind: 'unknown' });
    expect(await memory.questionOf(PROBE)).toBeNull();
  });

  it('that was found to be without end is so for every further page, and is listed', async () => {
    await recall('No events');
    const [, asked] = await untilAsked('No events');
    await memory.keepAnswer(sent(nameOf(asked)), infinite());
    const { standing } = await recall('No events', '/y/*');
    expect(standing).toEqual({ kind: 'infinite', rule: expect.stringContaining('http://a.test/x/*') });
    expect(await memory.infiniteSpaces()).toEqual([
      { pattern: 'http://a.test/x/*', asked: 'http://a.test/x/probe', visited: 26, rule: expect.any(String) },
    ]);
    expect(await recall('A concert')).toMatchObject({ saysNew: true, standing: { kind: 'none' } });
  });

  it('that has an end is never asked about again, wherever it stands', async () => {
    await recall('Part');
    const [, asked] = await untilAsked('Part');
    await memory.keepAnswer(sent(nameOf(asked)), { kind: 'finite' });
    await expect(untilAsked('Part', '/other/*', 150)).rejects.toThrow('nobody');
    expect(await memory.infiniteSpaces()).toEqual([]);
  });

  it('of which nothing could be learnt is asked about again, later', async () => {
    await recall('Part');
    const [, asked] = await untilAsked('Part');
    await memory.keepAnswer(sent(nameOf(asked)), { kind: 'unknown' });
    const [further] = await untilAsked('Part');
    expect(further).toBeGreaterThan(50);
  });

  /** The number of probes for finite groups of 26 pages each. */
  async function askedAbout(groups: readonly string[]): Promise<number> {
    let asked = 0;
    for (const group of groups) {
      await recall(group);
      for (let page = 0; page < 26; page += 1) {
        const { standing } = await recall(group, `/${group}/*`);
        if (standing.kind !== 'probe') continue;
        asked += 1;
        await memory.keepAnswer(sent(standing.name, `/${group}/*`), { kind: 'finite' });
      }
    }
    return asked;
  }

  it('is one of at most twelve that are asked about on a host, and of one more for each hundred pages that say nothing new', async () => {
    const syllables = 'ba de fi go hu ka le mi no pu'.split(' ');
    const groups = syllables.flatMap((first) => syllables.map((second) => first + second));
    expect(await askedAbout(groups.slice(0, 12))).toBe(12);
    expect(await askedAbout(groups.slice(12))).toBe((groups.length * 26) / 100);
  });
});

describe('a folder with an infinite group', () => {
  it('is suspect itself, and pages like its probe are without end', async () => {
    await recall('No events');
    const [, asked] = await untilAsked('No events');
    await memory.keepAnswer(sent(nameOf(asked)), infinite());
    await recall('Nothing here');
    const [pages, wide] = await untilAsked('Nothing here', '/x/new/*');
    expect([pages, wide.standing]).toMatchObject([1, { kind: 'probe', of: 'folder' }]);
    await memory.keepAnswer(sent(nameOf(wide), '/x/new/*'), infinite());
    const like = await recall('Nothing here', '/x/newer/*');
    expect(like.standing).toEqual({ kind: 'infinite', rule: expect.stringContaining('http://a.test/x/**') });
    await recall('Part of zinc');
    expect((await recall('Part of zinc', '/x/part/*')).standing.kind).not.toBe('infinite');
  });
});
