import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { luaScript } from '../../src/redis/lua-script.ts';
import { listOf } from '../../src/redis/reply.ts';
import { startTestRedis, temporaryFolder, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

test('a script gets its keys and arguments by name, and the rest behind them', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'echo.lua');
  await writeFile(file, 'return { keys.one, keys.two, args.text, ARGV[REST], #ARGV - REST + 1 }');
  const echo = luaScript(pathToFileURL(file), { keys: ['one', 'two'], args: ['number', 'text'], reply: listOf });
  const reply = await echo.run(redis.client, { two: '{x}b', one: '{x}a' }, { text: 'hé', number: 5 }, [
    'more',
    'again',
  ]);
  expect(reply).toEqual(['{x}a', '{x}b', 'hé', 'more', 2]);
});

test('a script is taught again to a server that has forgotten it', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'two.lua');
  await writeFile(file, 'return 2');
  const two = luaScript(pathToFileURL(file), { keys: [], args: [], reply: Number });
  expect(await two.run(redis.client, {}, {})).toBe(2);
  await redis.client.script('FLUSH');
  expect(await two.run(redis.client, {}, {})).toBe(2);
});

test('an error of a script reaches the caller, without all that the script was given', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'broken.lua');
  await writeFile(file, 'error("no credit")');
  const broken = luaScript(pathToFileURL(file), { keys: [], args: [], reply: Number });
  const failure: unknown = await broken.run(redis.client, {}, {}, ['a secret']).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringMatching(/^broken\.lua: .*no credit/) });
  expect(inspect(failure)).not.toContain('a secret');
});
