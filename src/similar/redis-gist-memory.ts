/** What hosts have said, in Redis: the decisions are in lua/recall.lua; this file shapes arguments and reads replies. */
import type { Redis } from 'ioredis';
import type { Gist } from '../core/fingerprint/gist.ts';
import type { HostKey } from '../model/host-key.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { listOf, textOf, wholeOf } from '../redis/reply.ts';
import type { EndlessKind, GistMemory, KindStanding, Remembered } from './gist-memory.ts';
import { SIMILARITY_ROOM } from './keys.ts';

type RecallArg = 'host' | 'words' | 'pictures' | 'print' | 'pattern';

interface Reply {
  readonly words: number;
  readonly pictures: number;
  readonly standing: string;
  readonly name: string;
}

const RECALL: LuaScript<'meta', RecallArg, Reply> = luaScript(new URL('./lua/recall.lua', import.meta.url), {
  keys: ['meta'],
  args: ['host', 'words', 'pictures', 'print', 'pattern'],
  reply: (raw) => {
    const [words, pictures, standing, name] = listOf(raw);
    return { words: wholeOf(words), pictures: wholeOf(pictures), standing: textOf(standing), name: textOf(name) };
  },
});

/** The memory of a crawl; nothing needs to be there. The client stays the caller's. */
export function openGistMemory({ client, keys }: { readonly client: Redis; readonly keys: KeySpace }): GistMemory {
  const meta = keys.key(SIMILARITY_ROOM, 'meta');
  const kindsKey = (host: string): string => keys.key(SIMILARITY_ROOM, `kinds:${host}`);
  const endlessKey = keys.key(SIMILARITY_ROOM, 'endless');

  async function recall(host: HostKey, gist: Gist, pattern: string): Promise<Remembered> {
    const args = { host, words: packed(gist.words), pictures: packed(gist.pictures), print: gist.print, pattern };
    const { words, pictures, standing, name } = await RECALL.run(client, { meta }, args);
    return { saysNew: words > 0, showsNew: pictures > 0, standing: await standingOf(host, standing, name) };
  }

  async function standingOf(host: HostKey, standing: string, name: string): Promise<KindStanding> {
    if (standing === 'ask') return { kind: 'ask', name };
    if (standing !== 'endless') return { kind: 'plain' };
    const found = await client.hget(endlessKey, `${host} ${name}`);
    return found === null ? { kind: 'plain' } : { kind: 'endless', rule: ruleOf(host, found) };
  }

  async function keepAnswer(...[host, name, answer]: Parameters<GistMemory['keepAnswer']>): Promise<void> {
    if (answer.kind === 'unknown') return; // it stays asked
    if (answer.kind === 'endless')
      await client.hset(endlessKey, `${host} ${name}`, `${answer.pattern} ${answer.asked}`);
    const [pages = '0'] = ((await client.hget(kindsKey(host), name)) ?? '').split(' ', 1);
    await client.hset(kindsKey(host), name, `${pages} ${answer.kind}`);
  }

  async function endless(): Promise<readonly EndlessKind[]> {
    const found = Object.entries(await client.hgetall(endlessKey));
    return Promise.all(
      found.map(async ([member, value]) => {
        const at = member.indexOf(' ');
        const host = member.slice(0, at);
        const [pages = '0'] = ((await client.hget(kindsKey(host), member.slice(at + 1))) ?? '').split(' ', 1);
        const [pattern = '', asked = ''] = value.split(' ');
        return { pattern: host + pattern, rule: ruleOf(host, value), visited: Number(pages), asked };
      }),
    );
  }

  return { recall, keepAnswer, endless };
}

/** Of what is kept of an endless kind: its pattern, and the stranger that was asked for. */
function ruleOf(host: string, value: string): string {
  const [pattern = ''] = value.split(' ');
  return `pages like ${host}${pattern}: whatever is asked for is answered so, and says nothing new`;
}

function packed(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}
