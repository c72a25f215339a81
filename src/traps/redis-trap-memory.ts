/** The trap memory in Redis: the decisions are in lua/recall.lua; this file shapes arguments and reads replies. */
import { z } from 'zod';
import { saysTheSame, type ContentSketch } from '../core/fingerprint/content-sketch.ts';
import { storedHostKey, type HostKey } from '../model/url/host-key.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { listOf, replyText, wholeOf } from '../redis/reply.ts';
import { TRAP_NAMESPACE } from './keys.ts';
import type {
  InfiniteSpace,
  TrapMemory,
  TrapStanding,
  PagePlace,
  Remembered,
  ProbeAnswer,
  ProbePlace,
  ProbeQuestion,
} from './trap-memory.ts';

type RecallArg = 'host' | 'words' | 'pictures' | 'fingerprint' | 'pattern' | 'folder';

interface Reply {
  readonly words: number;
  readonly pictures: number;
  readonly standing: string;
  readonly name: string;
  readonly wide: string;
}

const RECALL: LuaScript<'meta', RecallArg, Reply> = luaScript(new URL('./lua/recall.lua', import.meta.url), {
  keys: ['meta'],
  args: ['host', 'words', 'pictures', 'fingerprint', 'pattern', 'folder'],
  reply: (raw) => {
    const [words, pictures, standing, name, wide] = listOf(raw);
    return {
      words: wholeOf(words),
      pictures: wholeOf(pictures),
      standing: replyText(standing),
      name: replyText(name),
      wide: replyText(wide),
    };
  },
});

/** The memory of a crawl, which may be empty. The caller keeps ownership of the client. */
export function openTrapMemory({
  client,
  keys,
}: {
  readonly client: RedisClient;
  readonly keys: KeySpace;
}): TrapMemory {
  return new RedisTrapMemory(client, keys);
}

/** An infinite space as stored: URL pattern, probe URL, and the words of the probe's sketch if pages are compared with it. */
interface KeptSpace {
  readonly pattern: string;
  readonly asked: string;
  readonly words: readonly number[];
}

class RedisTrapMemory implements TrapMemory {
  readonly #client: RedisClient;
  readonly #keys: Readonly<Record<'meta' | 'infinite' | 'probes', string>>;
  readonly #groupsKey: (host: string) => string;

  constructor(client: RedisClient, keys: KeySpace) {
    this.#client = client;
    this.#keys = {
      meta: keys.key(TRAP_NAMESPACE, 'meta'),
      infinite: keys.key(TRAP_NAMESPACE, 'infinite'),
      probes: keys.key(TRAP_NAMESPACE, 'probes'),
    };
    this.#groupsKey = (host) => keys.key(TRAP_NAMESPACE, `groups:${host}`);
  }

  async recall(place: PagePlace, sketch: ContentSketch): Promise<Remembered> {
    const shown = { words: packed(sketch.words), pictures: packed(sketch.pictures), fingerprint: sketch.fingerprint };
    const reply = await RECALL.run(this.#client, { meta: this.#keys.meta }, { ...place, ...shown });
    const standing = await this.#standing(place.host, reply, sketch);
    return { saysNew: reply.words > 0, showsNew: reply.pictures > 0, standing };
  }

  async #standing(host: HostKey, { standing, name, wide }: Reply, sketch: ContentSketch): Promise<TrapStanding> {
    if (standing === 'infinite') {
      const kept = await this.#kept(host, name);
      return kept === null ? { kind: 'none' } : { kind: 'infinite', rule: ruleOf(host, kept) };
    }
    const kept = wide === '' ? null : await this.#kept(host, wide);
    if (kept !== null && saysTheSame(kept, sketch)) return { kind: 'infinite', rule: ruleOf(host, kept) };
    return standing === 'probe' ? { kind: 'probe', name, of: placeOf(name) } : { kind: 'none' };
  }

  async keepQuestion(question: ProbeQuestion): Promise<void> {
    await this.#client.hset(this.#keys.probes, question.asked, JSON.stringify(question));
  }

  async questionOf(url: string): Promise<ProbeQuestion | null> {
    const found = await this.#client.hget(this.#keys.probes, url);
    return found === null ? null : probeQuestion.parse(JSON.parse(found));
  }

  async keepAnswer(
    { asked, place, name }: Pick<ProbeQuestion, 'asked' | 'place' | 'name'>,
    answer: ProbeAnswer,
  ): Promise<void> {
    const { host, pattern, folder } = place;
    const keeping = this.#client.multi().hdel(this.#keys.probes, asked);
    const pages = await this.#pagesOf(host, name);
    if (answer.kind !== 'unknown') keeping.hset(this.#groupsKey(host), name, `${pages} ${answer.kind}`); // else the probe counts as asked
    if (answer.kind === 'infinite') {
      const of = placeOf(name);
      const wide = of === 'host' ? '/**' : `${folder}**`;
      const kept: KeptSpace = {
        pattern: of === 'address' ? pattern : wide,
        asked,
        words: of === 'address' ? [] : answer.sketch.words,
      };
      keeping.hset(this.#keys.infinite, `${host} ${name}`, JSON.stringify(kept));
      for (const wider of [`folder ${folder}`, 'host']) keeping.hincrby(this.#groupsKey(host), `found ${wider}`, 1);
    }
    await keeping.exec();
  }

  async infiniteSpaces(): Promise<readonly InfiniteSpace[]> {
    const found = Object.entries(await this.#client.hgetall(this.#keys.infinite));
    return Promise.all(
      found.map(async ([member, value]) => {
        const at = member.indexOf(' ');
        const [host, name] = [member.slice(0, at), member.slice(at + 1)];
        const kept = keptOf(value);
        const visited = await this.#pagesOf(host, name);
        return { pattern: host + kept.pattern, rule: ruleOf(host, kept), visited, asked: kept.asked };
      }),
    );
  }

  async #kept(host: HostKey, name: string): Promise<KeptSpace | null> {
    const found = await this.#client.hget(this.#keys.infinite, `${host} ${name}`);
    return found === null ? null : keptOf(found);
  }

  async #pagesOf(host: string, name: string): Promise<number> {
    return Number.parseInt((await this.#client.hget(this.#groupsKey(host), name)) ?? '0', 10);
  }
}

const probeQuestion: z.ZodType<ProbeQuestion> = z.object({
  asked: z.string(),
  place: z.object({ host: z.string().transform(storedHostKey), pattern: z.string(), folder: z.string() }),
  name: z.string(),
  of: z.enum(['address', 'folder', 'host']),
  words: z.array(z.number()),
  named: z.array(z.number()),
});

const keptSpace = z.object({ pattern: z.string(), asked: z.string(), words: z.array(z.number()) });

function keptOf(value: string): KeptSpace {
  return keptSpace.parse(JSON.parse(value));
}

function placeOf(name: string): ProbePlace {
  if (name === 'host') return 'host';
  return name.startsWith('folder ') ? 'folder' : 'address';
}

function ruleOf(host: string, { pattern }: KeptSpace): string {
  return `pages like ${host}${pattern}: whatever is asked for is answered so, and says nothing new`;
}

function packed(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}
