import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { withoutCommand, type LuaScript, type LuaScriptShape } from './lua-script.ts';

/**
 * Scripts of one module that share their Lua: a library of Redis functions (Redis 7). What the parts declare is made once, when the
 * server learns the library, while a script that is evaluated makes all its functions again at every call: half of the time of
 * a short one.
 */
export interface LuaLibrary {
  /** `<name>.lua` in the folder as a script of the library; all are declared before the first one runs. */
  script<Key extends string, Arg extends string, Reply>(
    name: string,
    shape: LuaScriptShape<Key, Arg, Reply>,
  ): LuaScript<Key, Arg, Reply>;
}

interface Member {
  readonly name: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/**
 * @param title of the module, part of the library's name; the name has a digest of its text as well, so that crawls of different
 * versions of the program may share a server
 * @param folder of the scripts; `includes/<part>.lua` in it are the parts, in the order in which they need each other. A part says with
 * `at_each_call(function)` what it does when a call begins: whatever it remembers of a call must be forgotten there.
 */
export function luaLibrary(title: string, folder: URL, parts: readonly string[]): LuaLibrary {
  const members: Member[] = [];
  let loaded: Library | null = null;
  return {
    script: (name, shape) => {
      members.push({ name, keys: shape.keys, args: shape.args });
      return {
        run: async (client, keys, args, rest = []) => {
          const library = (loaded ??= compose(title, folder, parts, members));
          const values = [...shape.keys.map((key) => keys[key]), ...shape.args.map((arg) => args[arg]), ...rest];
          const ask = (): Promise<unknown> =>
            client.fcall(functionName(library.name, name), shape.keys.length, ...values);
          const raw = await taught(client, library, ask).catch((error: unknown) => {
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

/** A server that was flushed, or is another one, is taught the library. */
async function taught(client: Redis, library: Library, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Error) || !/function not found/i.test(error.message)) throw error;
    await teach(client, library);
    return ask();
  }
}

async function teach(client: Redis, { source }: Library): Promise<void> {
  try {
    await client.call('FUNCTION', 'LOAD', source);
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
    ...parts.map((part) => withRecords(read(`includes/${part}.lua`))),
    ...members.map(({ name, keys, args }) =>
      [
        `define('${name.replaceAll('-', '_')}', ${words(keys)}, ${words(args)}, function()`,
        read(`${name}.lua`),
        'end)',
      ].join('\n'),
    ),
  ].join('\n');
  const digest = createHash('sha1').update(text).digest('hex').slice(0, 16);
  const name = `orbweaver_${title}_${digest}`;
  return { name, source: `#!lua name=${name}\nlocal LIBRARY = '${name}_'\n${text}` };
}

const RECORD = /^ *--- @record (\w+) (.+)\n/gm;

/**
 * `--- @record name: field field | other` stands for two functions: `pack_name` makes a text of the fields of a table, and `unpack_name` a
 * table of the text; the others are false in it. Lines of one name belong together. Loops over the names of fields take three
 * times as long, and a table that gets its fields one after the other is made anew again and again.
 */
function withRecords(source: string): string {
  const lines = new Map<string, string[]>();
  for (const [, name = '', fields = ''] of source.matchAll(RECORD))
    lines.set(name, [...(lines.get(name) ?? []), fields]);
  return source.replaceAll(RECORD, (_, name: string) => {
    const fields = lines.get(name);
    lines.delete(name);
    return fields === undefined ? '' : recordFunctions(name, fields);
  });
}

function recordFunctions(name: string, lines: readonly string[]): string {
  const part = (index: number): readonly string[] =>
    lines.flatMap((line) => line.split('|')[index]?.split(' ') ?? []).filter((field) => field !== '');
  const [kept, others] = [part(0), part(1)];
  return `
local function pack_${name}(record)
  return cmsgpack.pack(${kept.map((field) => `record.${field}`).join(', ')})
end
local function unpack_${name}(text)
  local ${kept.join(', ')} = cmsgpack.unpack(text)
  return { ${[...kept.map((field) => `${field} = ${field}`), ...others.map((field) => `${field} = false`)].join(', ')} }
end
`;
}

function words(names: readonly string[]): string {
  return `{ ${names.map((name) => `'${name}'`).join(', ')} }`;
}

/** What all parts and scripts see: `keys.<name>`, `args.<name>`, and `ARGV[REST]` and on behind the named arguments. */
const BEGINNING = `
local keys, args, ARGV, REST = {}, {}, {}, 1
local beginnings = {}

local function at_each_call(begin)
  beginnings[#beginnings + 1] = begin
end

local function define(name, key_names, arg_names, body)
  redis.register_function(LIBRARY .. name, function(given_keys, given)
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
  end)
end
`;
