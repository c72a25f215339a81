import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { mastersOf, type RedisClient } from './client.ts';
import { withoutCommand, type LuaScript, type LuaScriptShape } from './lua-script.ts';

/**
 * Scripts of one module that share Lua code: a library of Redis functions (Redis 7). The server creates the parts' functions once, when it
 * loads the library; an evaluated script creates all its functions anew at every call, half of the time of a short one.
 *
 * Each part is a table of its own name: `frontier/lua/includes/hosts.lua` adds to `hosts`, and all parts and scripts see it. A `local` of a part is
 * visible in that part alone. So the number of parts, not of their functions, counts towards the 200 locals that Lua allows.
 */
export interface LuaLibrary {
  /** Declares `<name>.lua` in the folder as a script of the library; all must be declared before the first one runs. */
  script<Key extends string, Arg extends string, Reply>(
    name: string,
    shape: LibraryScriptShape<Key, Arg, Reply>,
  ): LuaScript<Key, Arg, Reply>;
}

interface LibraryScriptShape<Key extends string, Arg extends string, Reply> extends LuaScriptShape<Key, Arg, Reply> {
  /** Does it write nothing? A server that takes no writes runs it all the same. Left out: it may write. */
  readonly reads?: true;
}

interface Member {
  readonly name: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly reads: boolean;
}

/**
 * @param title of the module, part of the library's name; the name also has a digest of the library's text, so that crawls of different
 * program versions may share a server
 * @param folder of the scripts; its `includes/<part>.lua` are the parts. A part that uses a value of another part at loading time
 * comes after it. `at_each_call(function)` in a part runs at the start of each call: there a part must reset its per-call state.
 */
export function luaLibrary(title: string, folder: URL, parts: readonly string[]): LuaLibrary {
  const members: Member[] = [];
  let loaded: Library | null = null;
  return {
    script: (name, shape) => {
      members.push({ name, keys: shape.keys, args: shape.args, reads: shape.reads === true });
      return {
        args: shape.args,
        run: async (client, keys, args, rest = []) => {
          const library = (loaded ??= compose(title, folder, parts, members));
          const values = [...shape.keys.map((key) => keys[key]), ...shape.args.map((arg) => args[arg]), ...rest];
          const ask = (): Promise<unknown> =>
            client.fcall(functionName(library.name, name), shape.keys.length, ...values);
          const raw = await askLoaded(client, library, ask).catch((error: unknown) => {
            throw withoutCommand(error, `${name}.lua`);
          });
          return shape.reply(raw);
        },
      };
    },
  };
}

interface Library {
  readonly name: string;
  readonly source: string;
}

/** Loads the library if the server does not know it, after a flush or on another server. */
async function askLoaded(client: RedisClient, library: Library, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error) || !/function not found/i.test(error.message)) throw error;
    await load(client, library);
    return ask();
  }
}

/** Loads on each server of a cluster, because a crawl may move to any of them. */
async function load(client: RedisClient, library: Library): Promise<void> {
  await Promise.all(mastersOf(client).map((server) => loadOn(server, library)));
}

async function loadOn(server: Redis, { source }: Library): Promise<void> {
  try {
    await server.call('FUNCTION', 'LOAD', source);
  } catch (error) {
    // another process was quicker
    if (!(error instanceof Error) || !/already exists/i.test(error.message)) throw withoutCommand(error, 'library');
  }
}

function functionName(library: string, script: string): string {
  return `${library}_${script.replaceAll('-', '_')}`;
}

/** The text of a library, ready for FUNCTION LOAD. */
function compose(title: string, folder: URL, parts: readonly string[], members: readonly Member[]): Library {
  const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');
  const text = [
    BEGINNING,
    ...parts.map((part) => `local ${part} = {}`),
    ...parts.map((part) => `do\n${withRecords(read(`includes/${part}.lua`))}\nend`),
    ...members.map(({ name, keys, args, reads }) =>
      [
        `define('${name.replaceAll('-', '_')}', ${words(reads ? ['no-writes'] : [])}, ${words(keys)}, ${words(args)}, function()`,
        read(`${name}.lua`),
        'end)',
      ].join('\n'),
    ),
  ].join('\n');
  const digest = createHash('sha1').update(text).digest('hex').slice(0, 16);
  const name = `orbweaver_${title}_${digest}`;
  return { name, source: `#!lua name=${name}\nlocal LIBRARY = '${name}_'\n${text}` };
}

/** `--- @record <table> [<noun>]`, and the comment lines after it. */
const RECORD = /^--- @record (\w+)(?: (\w+))?\n((?:---.*\n)*)/gm;
const FIELD = /^--- {3}(\w+)/gm;
const NOT_PACKED = '--- @unpacked\n';

/**
 * A record is a table in a script and a packed text in Redis. Its declaration names the fields in their packed order, one a line:
 *
 *     --- @record leases
 *     ---   deadline  until when it must be renewed (epoch ms)
 *     --- @unpacked
 *     ---   host      of its URL
 *
 * It stands for two functions: `leases.pack` packs the fields of a table into a text, and `leases.unpack` reads a table from the text, with the
 * other fields set to false. With a noun they are called `pack_<noun>` and `unpack_<noun>`. The generated code names each field: a loop over the
 * names takes three times as long, and Lua repeatedly enlarges a table that gets its fields one by one.
 */
function withRecords(source: string): string {
  return source.replaceAll(RECORD, (_, table: string, noun: string | undefined, lines: string) => {
    const [packed = [], others = []] = lines.split(NOT_PACKED).map(fieldsOf);
    const suffix = noun === undefined ? '' : `_${noun}`;
    return `
function ${table}.pack${suffix}(record)
  return cmsgpack.pack(${packed.map((field) => `record.${field}`).join(', ')})
end
function ${table}.unpack${suffix}(text)
  local ${packed.join(', ')} = cmsgpack.unpack(text)
  return { ${[...packed.map((field) => `${field} = ${field}`), ...others.map((field) => `${field} = false`)].join(', ')} }
end
`;
  });
}

function fieldsOf(lines: string): readonly string[] {
  return [...lines.matchAll(FIELD)].map(([, field = '']) => field);
}

function words(names: readonly string[]): string {
  return `{ ${names.map((name) => `'${name}'`).join(', ')} }`;
}

/** Tables for all parts and scripts: `keys.<name>`, `args.<name>`; `ARGV` from `REST` on has the arguments after the named ones. */
const BEGINNING = `
local keys, args, ARGV, REST = {}, {}, {}, 1
local beginnings = {}

local function at_each_call(begin)
  beginnings[#beginnings + 1] = begin
end

local function define(name, flags, key_names, arg_names, body)
  local function call(given_keys, given)
    for index = 1, #key_names do
      keys[key_names[index]] = given_keys[index]
    end
    args = {}
    for index = 1, #arg_names do
      args[arg_names[index]] = given[index]
    end
    ARGV, REST = given, #arg_names + 1
    for index = 1, #beginnings do
      beginnings[index]()
    end
    return body()
  end
  redis.register_function{ function_name = LIBRARY .. name, callback = call, flags = flags }
end
`;
