import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { luaLibrary, type LuaLibrary } from '../../src/redis/lua-library.ts';
import type { LuaScript } from '../../src/redis/lua-script.ts';
import { listOf } from '../../src/redis/reply.ts';
import { startTestRedis, temporaryFolder, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** A library from a folder with these files, which is read when the first script runs. */
async function library(title: string, files: Readonly<Record<string, string>>): Promise<LuaLibrary & AsyncDisposable> {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'includes'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const parts = Object.keys(files).flatMap((name) => /^includes\/(.*)\.lua$/.exec(name)?.[1] ?? []);
  return {
    ...luaLibrary(title, pathToFileURL(`${folder.path}/`), parts),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const counting = {
  'includes/count.lua':
    'local calls = 0\nlocal seen\nat_each_call(function() seen = 0 end)\nfunction count.see() calls, seen = calls + 1, seen + 1; return { calls, seen } end',
  'count.lua': 'count.see() return count.see()',
};

function countOf(counter: LuaLibrary): LuaScript<never, never, readonly unknown[]> {
  return counter.script('count', { keys: [], args: [], reply: listOf });
}

test('a script of a library gets its keys and arguments by name, and the rest behind them', async () => {
  await using echoes = await library('echo', {
    'echo.lua': 'return { keys.one, keys.two, args.text, ARGV[REST], #ARGV - REST + 1 }',
  });
  const echo = echoes.script('echo', { keys: ['one', 'two'], args: ['number', 'text'], reply: listOf });
  const reply = await echo.run(redis.client, { two: '{x}b', one: '{x}a' }, { text: 'hé', number: 5 }, [
    'more',
    'again',
  ]);
  expect(reply).toEqual(['{x}a', '{x}b', 'hé', 'more', 2]);
});

test('a part is made once, and forgets what it remembered of the call before', async () => {
  await using counter = await library('count', counting);
  const count = countOf(counter);
  expect(await count.run(redis.client, {}, {})).toEqual([2, 2]);
  expect(await count.run(redis.client, {}, {})).toEqual([4, 2]);
});

test('a library is taught again to a server that has forgotten it, by whoever is first', async () => {
  await using counter = await library('again', counting);
  const count = countOf(counter);
  await count.run(redis.client, {}, {});
  await redis.client.call('FUNCTION', 'FLUSH', 'SYNC');
  const { client: other } = await redis.connect();
  const replies = await Promise.all([redis.client, other, redis.client].map((client) => count.run(client, {}, {})));
  expect(replies.map(([, seen]) => seen)).toEqual([2, 2, 2]);
});

test('two versions of a library live on one server', async () => {
  await using first = await library('versions', { 'which.lua': 'return 1' });
  await using second = await library('versions', { 'which.lua': 'return 2' });
  const [one, two] = [first, second].map((version) => version.script('which', { keys: [], args: [], reply: Number }));
  for (let round = 0; round < 2; round += 1) {
    expect([await one?.run(redis.client, {}, {}), await two?.run(redis.client, {}, {})]).toEqual([1, 2]);
  }
});

test('an error in a library reaches the caller, without all that the script was given', async () => {
  await using broken = await library('broken', { 'broken-one.lua': 'error("no credit")' });
  const script = broken.script('broken-one', { keys: [], args: [], reply: Number });
  const failure: unknown = await script.run(redis.client, {}, {}, ['a secret']).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringMatching(/^broken-one\.lua: .*no credit/) });
  expect(inspect(failure)).not.toContain('a secret');
});
