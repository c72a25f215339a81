/** The parameter memory in Redis. core/folding decides; this file reads, asks, and writes if no other process has written meanwhile. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LruMap } from '../base/lru-map.ts';
import { addressOf, hasParameters, type Address } from '../core/folding/address.ts';
import {
  hasLearnt,
  isFolded,
  isLearnable,
  isPosition,
  learn,
  learntNames,
  namesOf,
  NEW_FAMILY,
  NEW_ROW,
  POSITION,
  plainSpot,
  positionSpot,
  type FamilyRecord,
  type IsKept,
  type Learnt,
  type RowRecord,
  type SeenPage,
  type Spot,
} from '../core/folding/parameter-table.ts';
import type { CanonicalUrl } from '../model/url/canonical-url.ts';
import { hostNameOf, type HostKey } from '../model/url/host-key.ts';
import type { ParameterRules } from '../model/url/url-parameters.ts';
import type { RedisClient } from '../redis/client.ts';
import type { KeySpace } from '../redis/key-space.ts';
import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { yesOrNo } from '../redis/reply.ts';
import { TRAP_NAMESPACE } from './keys.ts';
import type { Fold, FoldedFamily, ParameterMemory } from './parameter-memory.ts';

type KeepArg =
  | 'host'
  | 'family'
  | 'row'
  | 'familyBefore'
  | 'rowBefore'
  | 'familyAfter'
  | 'rowAfter'
  | 'learnt'
  | 'undone';

const KEEP: LuaScript<'meta', KeepArg, boolean> = luaScript(new URL('./lua/keep-parameters.lua', import.meta.url), {
  keys: ['meta'],
  args: ['host', 'family', 'row', 'familyBefore', 'rowBefore', 'familyAfter', 'rowAfter', 'learnt', 'undone'],
  reply: yesOrNo,
});

/** Most tries: another process may learn of the same page at the same time. If all fail, a later visit teaches it. */
const MOST_TRIES = 8;
/** Most families whose last text is cached; an uncached one is assumed to be new (arbitrary). */
const SEEN_FAMILIES = 10_000;

interface ParameterMemoryNeeds {
  readonly client: RedisClient;
  readonly keys: KeySpace;
  /** Parameters that the user keeps are never folded. */
  readonly parameters: Pick<ParameterRules, 'keeps'>;
}

/** The memory of a crawl, which may be empty. The caller keeps ownership of the client. */
export function openParameterMemory(needs: ParameterMemoryNeeds): ParameterMemory {
  return new RedisParameterMemory(needs);
}

class RedisParameterMemory implements ParameterMemory {
  readonly #client: RedisClient;
  readonly #keys: Readonly<Record<'meta' | 'undone' | 'learnt', string>>;
  readonly #familiesKey: (host: string) => string;
  readonly #rowsKey: (host: string) => string;
  readonly #parameters: Pick<ParameterRules, 'keeps'>;
  /** Families as this process last stored them; another process may have changed them since. */
  readonly #families = new LruMap<string, string>(SEEN_FAMILIES);

  constructor({ client, keys, parameters }: ParameterMemoryNeeds) {
    this.#client = client;
    this.#parameters = parameters;
    this.#keys = {
      meta: keys.key(TRAP_NAMESPACE, 'meta'),
      undone: keys.key(TRAP_NAMESPACE, 'undone'),
      learnt: keys.key(TRAP_NAMESPACE, 'learnt'),
    };
    this.#familiesKey = (host) => keys.key(TRAP_NAMESPACE, `parameters:${host}`);
    this.#rowsKey = (host) => keys.key(TRAP_NAMESPACE, `rows:${host}`);
  }

  async learn(page: SeenPage & { readonly rendered: boolean }): Promise<void> {
    // most pages are the first of their row: assume that before reading, because the script compares
    if (await this.#learnOnce(page, 'supposed')) return;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each try begins with what the one before found changed
      if (await this.#learnOnce(page, 'read')) return;
    }
  }

  /**
   * @param before `read`: read the known state; `supposed`: assume the family as last seen here, and no row
   * @returns false where it must be repeated: another process was faster, or the family has another version now.
   */
  async #learnOnce(page: SeenPage & { readonly rendered: boolean }, before: 'supposed' | 'read'): Promise<boolean> {
    const { address, rendered } = page;
    const { host } = address;
    const isRead = before === 'read';
    const familyBefore = isRead ? await this.#read(this.#familiesKey(host), address.family) : this.#lastSeen(address);
    const family = familyOf(familyBefore);
    if (!isLearnable(family)) return isRead;
    const spot = this.#spotOfVisit(page, family);
    const field = rowField({ address, family, spot, rendered });
    const rowBefore = isRead ? await this.#read(this.#rowsKey(host), field) : '';
    const learnt = learn(family, rowOf(rowBefore), spot, page);
    const change = written(learnt, rowBefore);
    const kept = await KEEP.run(
      this.#client,
      { meta: this.#keys.meta },
      {
        host,
        family: address.family,
        row: field,
        familyBefore,
        rowBefore,
        ...change,
        learnt: hasLearnt(learnt.family) ? 'yes' : '',
        undone: learnt.undone ? foldId(address, family) : '',
      },
    );
    if (kept) this.#families.set(nameOf(address), change.familyAfter);
    return kept && learnt.row !== null;
  }

  async #read(key: string, field: string): Promise<string> {
    return (await this.#client.hget(key, field)) ?? '';
  }

  #lastSeen(address: Address): string {
    return this.#families.get(nameOf(address)) ?? '';
  }

  #spotOfVisit({ address, places }: SeenPage, family: FamilyRecord): Spot {
    const isKept = this.#keptOn(address.host);
    const position = positionSpot(address, family, isKept);
    return position !== null && isPosition(position, { places }) ? position : plainSpot(address, family, isKept);
  }

  async foldsOf(urls: readonly CanonicalUrl[]): Promise<readonly (Fold | null)[]> {
    const asked = urls.map((url) => (hasParameters(url) ? { url, address: addressOf(url) } : null));
    const families = await this.#familiesOf(asked.flatMap((each) => each?.address ?? []));
    return Promise.all(
      asked.map((each) => {
        const family = each === null ? undefined : families.get(nameOf(each.address));
        if (each === null || family === undefined || !hasLearnt(family)) return null;
        return this.#foldOf(each.url, each.address, family);
      }),
    );
  }

  async #familiesOf(addresses: readonly Address[]): Promise<ReadonlyMap<string, FamilyRecord>> {
    const distinct = [...new Map(addresses.map((address) => [nameOf(address), address])).values()];
    const found = await Promise.all(
      distinct.map(({ host, family }) => this.#client.hget(this.#familiesKey(host), family)),
    );
    return new Map(distinct.map((address, index) => [nameOf(address), familyOf(found[index] ?? '')]));
  }

  async #foldOf(url: CanonicalUrl, address: Address, family: FamilyRecord): Promise<Fold | null> {
    const isKept = this.#keptOn(address.host);
    const spots = [positionSpot(address, family, isKept), plainSpot(address, family, isKept)].flatMap((spot) =>
      spot === null || spot.values === '' ? [] : [true, false].map((rendered) => ({ spot, rendered })),
    );
    if (spots.length === 0) return null;
    const fields = spots.map((each) => rowField({ address, family, ...each }));
    const rows = await this.#client.hmget(this.#rowsKey(address.host), ...fields);
    const at = spots.findIndex(({ spot }, index) => isFolded(url, family, rowOf(rows[index] ?? ''), spot));
    const spot = spots[at]?.spot;
    return spot === undefined ? null : { id: foldId(address, family), rule: ruleOf(address, namesOf(spot)) };
  }

  undone(): Promise<readonly string[]> {
    return this.#client.smembers(this.#keys.undone);
  }

  async takenBack(id: string): Promise<void> {
    await this.#client.srem(this.#keys.undone, id);
  }

  async foldedFamilies(): Promise<readonly FoldedFamily[]> {
    const members = (await this.#client.smembers(this.#keys.learnt)).toSorted();
    return Promise.all(
      members.map(async (member) => {
        const at = member.indexOf(' ');
        const [host, family] = [member.slice(0, at), member.slice(at + 1)];
        const record = familyOf((await this.#client.hget(this.#familiesKey(host), family)) ?? '');
        const names = learntNames(record);
        return {
          pattern: host + family,
          parameters: names.filter((name) => name !== POSITION),
          hasPlaces: names.includes(POSITION),
          compared: record.compared,
          ruleEnd: endOfRule(host + family),
        };
      }),
    );
  }

  #keptOn(host: HostKey): IsKept {
    const name = hostNameOf(host);
    return (parameter) => this.#parameters.keeps(parameter.toLowerCase(), name);
  }
}

function nameOf({ host, family }: Address): string {
  return host + family;
}

/** Characters of a hash. A row's texts would be as long as its URLs; 72 bits distinguish the pages of a host. */
const DIGITS = 12;

function hashed(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, DIGITS);
}

interface RowPlace {
  readonly address: Address;
  readonly family: FamilyRecord;
  readonly spot: Spot;
  readonly rendered: boolean;
}

function rowField({ address, family, spot, rendered }: RowPlace): string {
  return hashed(`${address.family} ${family.version} ${rendered ? 'rendered' : 'read'} ${spot.row}`);
}

function foldId({ host, family }: Pick<Address, 'host' | 'family'>, { version }: FamilyRecord): string {
  return `${hashed(host + family)}-${version}`;
}

function ruleOf(address: Address, names: readonly string[]): string {
  const end = endOfRule(nameOf(address));
  if (names.includes(POSITION)) return `it names a place in a page that was visited${end}`;
  const are = names.length === 1 ? 'parameter' : 'parameters';
  return `${are} ${names.join(', ')} ${names.length === 1 ? 'changes' : 'change'} nothing${end}`;
}

function endOfRule(pattern: string): string {
  return `, on pages like ${pattern}`;
}

const familyText = z.object({
  v: z.number(),
  m: z.array(z.string()),
  c: z.record(z.string(), z.number()),
  n: z.number(),
});
const rowText = z.object({
  n: z.number(),
  u: z.number(),
  c: z.array(z.tuple([z.string(), z.number(), z.number()])),
  p: z.array(z.number()).default([]),
});

function familyOf(text: string): FamilyRecord {
  if (text === '') return NEW_FAMILY;
  const { v: version, m: matters, c: columns, n: compared } = familyText.parse(JSON.parse(text));
  return { version, matters, columns, compared };
}

function rowOf(text: string): RowRecord {
  if (text === '') return NEW_ROW;
  const { n: visits, u, c, p: places } = rowText.parse(JSON.parse(text));
  const cells = c.map(([values, content, counts]) => ({ values, content, counts: counts === 1 }));
  return { visits, uneven: u === 1, cells, places };
}

/** Stored form, with short names because there is a row for each page. */
function written(
  { family, row }: Learnt,
  rowBefore: string,
): { readonly familyAfter: string; readonly rowAfter: string } {
  const { version, matters, columns, compared } = family;
  const familyAfter = JSON.stringify({ v: version, m: matters, c: columns, n: compared });
  if (row === null) return { familyAfter, rowAfter: rowBefore };
  const cells = row.cells.map(({ values, content, counts }) => [values, content, counts ? 1 : 0]);
  const places = row.places.length === 0 ? {} : { p: row.places };
  return { familyAfter, rowAfter: JSON.stringify({ n: row.visits, u: row.uneven ? 1 : 0, c: cells, ...places }) };
}
