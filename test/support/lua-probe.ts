import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PARTS } from '../../src/frontier/scripts.ts';
import { luaLibrary } from '../../src/redis/lua-library.ts';
import { openFrontier } from '../../src/frontier/open-frontier.ts';
import { temporaryFolder, type TestRedis } from './redis.ts';

/**
 * Runs Lua against the frontier's tables, in a crawl of its own.
 * @param source of a script; `given` is the decoded `input`, and the script's result is encoded as JSON
 * @returns the script's result
 */
export async function probeLua(redis: TestRedis, source: string, input: unknown): Promise<unknown> {
  await using folder = await temporaryFolder();
  cpSync(fileURLToPath(new URL('../../src/frontier/lua', import.meta.url)), folder.path, { recursive: true });
  const body = `local given = cjson.decode(args.input)\nlocal function probe()\n${source}\nend\nreturn cjson.encode(probe())`;
  writeFileSync(join(folder.path, 'probe.lua'), body);
  const library = luaLibrary('probe', pathToFileURL(`${folder.path}/`), PARTS);
  const script = library.script('probe', { keys: ['meta'], args: ['input'], reply: String });
  const keys = redis.keys();
  await openFrontier({ client: redis.client, keys, state: 'new' });
  const reply = await script.run(redis.client, { meta: keys.key('f', 'meta') }, { input: JSON.stringify(input) });
  return JSON.parse(reply);
}
