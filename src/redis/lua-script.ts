import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { RedisClient } from './client.ts';
import { saidForgotten } from './forgotten-crawl.ts';
import { refusedWrite } from './refused-write.ts';

export interface LuaScriptShape<Key extends string, Arg extends string, Reply> {
  readonly keys: readonly Key[];
  /** In the script `args.<name>` is the value, as text; further arguments begin at `ARGV[REST]`. */
  readonly args: readonly Arg[];
  /** Converts the reply to the caller's type; throws where it has another shape. */
  readonly reply: (raw: unknown) => Reply;
}

export interface LuaScript<Key extends string, Arg extends string, Reply> {
  /** Names of its arguments, in the order in which they are sent. */
  readonly args: readonly Arg[];
  /** Runs the script; `rest` are further arguments of any number. */
  run(
    client: RedisClient,
    keys: Readonly<Record<Key, string>>,
    args: Readonly<Record<Arg, string | number | Buffer>>,
    rest?: readonly string[],
  ): Promise<Reply>;
}

/**
 * A Lua script with named keys and arguments: `keys.<name>`, `args.<name>` and `REST` are declared above its
 * source. A line `--- @include "name"` inserts `includes/<name>.lua` from the script's folder, once. The source is read at the
 * first run. Keys are given in full; a script may compute others with the same prefix and hash tag.
 */
export function luaScript<Key extends string, Arg extends string, Reply>(
  file: URL,
  shape: LuaScriptShape<Key, Arg, Reply>,
): LuaScript<Key, Arg, Reply> {
  let loaded: { readonly source: string; readonly digest: string } | null = null;
  return {
    args: shape.args,
    run: async (client, keys, args, rest = []) => {
      loaded ??= load(file, shape);
      const values = [...shape.keys.map((name) => keys[name]), ...shape.args.map((name) => args[name]), ...rest];
      const raw = await evaluate(client, loaded, shape.keys.length, values).catch((error: unknown) => {
        throw withoutCommand(error, basename(file.pathname));
      });
      return shape.reply(raw);
    },
  };
}

/** Sends EVALSHA, which is short; a restarted server has forgotten the script, and EVAL teaches it again. */
async function evaluate(
  client: RedisClient,
  script: { readonly source: string; readonly digest: string },
  keyCount: number,
  values: readonly (string | number | Buffer)[],
): Promise<unknown> {
  try {
    return await client.evalsha(script.digest, keyCount, ...values);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(script.source, keyCount, ...values);
  }
}

/**
 * Removes the command that ioredis attaches to an error, with the script's text and all arguments: logs must not contain it.
 * @returns {CrawlError} REDIS_UNFIT where the server takes no writes, STATE_LOST where it does not know the crawl any more
 */
export function withoutCommand(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('command' in error)) return error;
  return refusedWrite(error) ?? saidForgotten(error) ?? new Error(`${name}: ${error.message}`);
}

function load(file: URL, shape: LuaScriptShape<string, string, unknown>): { source: string; digest: string } {
  const source = `${preamble(shape)}\n${composeLua(file)}`;
  return { source, digest: createHash('sha1').update(source).digest('hex') };
}

function preamble(shape: LuaScriptShape<string, string, unknown>): string {
  const table = (names: readonly string[], from: string): string =>
    `{ ${names.map((name, index) => `${name} = ${from}[${index + 1}]`).join(', ')} }`;
  return [
    `local keys = ${table(shape.keys, 'KEYS')}`,
    `local args = ${table(shape.args, 'ARGV')}`,
    `local REST = ${shape.args.length + 1}`,
  ].join('; ');
}

const INCLUDE = /^--- @include "([a-z-]+)"$/;

/** The text of a script with its includes in place, each once. @throws {Error} where includes form a cycle. */
export function composeLua(file: URL): string {
  const done = new Set<string>();
  const take = (url: URL, open: readonly string[]): string => {
    if (open.includes(url.href))
      throw new Error(`Lua includes go round in a circle: ${[...open, url.href].join(' > ')}`);
    if (done.has(url.href)) return '';
    const lines = readFileSync(url, 'utf8').split('\n');
    const text = lines.map((line) => {
      const name = INCLUDE.exec(line)?.[1];
      return name === undefined ? line : take(new URL(`includes/${name}.lua`, file), [...open, url.href]);
    });
    done.add(url.href);
    return text.join('\n');
  };
  return take(file, []);
}
