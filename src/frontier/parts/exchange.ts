/**
 * Carries credit between the parts of a crawl. The sending part keeps an entry until the receiving part has taken it, and the receiver knows the
 * numbers of the entries taken: so credit arrives once, even if its carrier is killed and delivers it again.
 */
import { evenLambda } from '../../core/parts/even-lambda.ts';
import { stateKey } from '../frontier-state.ts';
import { OUTBOX, type NextHosts, type Sent } from '../part-scripts.ts';
import { CreditGroups } from '../sendable-links.ts';
import type { Part, Parts } from './part.ts';

/** Entries from one part to another per call (arbitrary). */
const AT_A_TIME = 100;

/** Content of one entry (frontier/lua/includes/exchange.lua). */
interface Entry {
  /** Credit per URL. */
  readonly share: number;
  /** Number of URLs; 0 where the credit is for lambda. */
  readonly count: number;
  /** `fields` of {@link CreditGroups}. */
  readonly links: readonly string[];
}

/** Carries credit in transit, at most {@link AT_A_TIME} entries per pair of parts. */
export async function carryCredit(parts: Parts): Promise<void> {
  await parts.ask(async (from) => {
    for (const sent of await outboxOf(from, AT_A_TIME)) await carry(from, parts.at(sent.to), sent);
  });
}

async function carry(from: Part, to: Part, { first, entries }: Sent): Promise<void> {
  const last = first + entries.length - 1;
  const taken = await deliver(from, to, { first, entries: entries.map(readEntry) });
  // if the receiver had taken some of them before, the others follow with the next call
  await from.leader.forgetSent(from.client, from.keys, { to: to.number, last: Math.min(taken, last) });
}

/** @returns the number of the last entry that the part has taken */
function deliver(
  from: Part,
  to: Part,
  { first, entries }: { readonly first: number; readonly entries: readonly Entry[] },
): Promise<number> {
  const credit = entries.reduce((sum, { share, count }) => sum + share * count, 0);
  const lambda = entries.reduce((sum, { share, count }) => sum + (count === 0 ? share : 0), 0);
  const args = { from: from.number, first, last: first + entries.length - 1, credit, lambda };
  return to.leader.receive(to.client, to.keys, args, payments(entries));
}

/** Sums all entries' credit per URL, as no URL may come twice in a call: for each amount, the groups of the URLs that get it. */
function payments(entries: readonly Entry[]): readonly string[] {
  const urls = new Map<string, Payee & { amount: number }>();
  for (const { share, links } of entries) {
    for (const payee of payeesOf(links)) {
      const name = `${payee.host} ${payee.queue} ${payee.url[0]}`;
      const known = urls.get(name);
      if (known === undefined) urls.set(name, { ...payee, amount: share });
      else known.amount += share;
    }
  }
  const amounts = new Map<number, CreditGroups>();
  for (const { host, queue, url, amount } of urls.values()) {
    const groups = amounts.get(amount) ?? new CreditGroups();
    amounts.set(amount, groups);
    groups.add(host, queue, url);
  }
  return [...amounts].flatMap(([amount, groups]) => [String(amount), ...groups.packed]);
}

interface Payee {
  readonly host: string;
  readonly queue: number;
  readonly url: readonly [rest: string, slot: string];
}

function* payeesOf(fields: readonly string[]): Generator<Payee> {
  for (let at = 0; at < fields.length;) {
    const [host = '', queue] = [fields[at + 1], Number(fields[at + 2])];
    const count = Number(fields[at + 3]);
    at += 4;
    for (let index = 0; index < count; index += 1, at += 2)
      yield { host, queue, url: [fields[at] ?? '', fields[at + 1] ?? ''] };
  }
}

function outboxOf(part: Part, count: number): Promise<readonly Sent[]> {
  return OUTBOX.run(part.client, part.keys, { count });
}

function readEntry(text: string): Entry {
  const [share = '', count = ''] = text.split(' ', 2);
  const links = text.slice(share.length + count.length + 2);
  const read: readonly string[] = links === '' ? [] : JSON.parse(links);
  return { share: Number(share), count: Number(count), links: read };
}

/** Sends lambda's credit from parts that have more than their domains need. @param standings of all parts, after all credit was carried */
export async function evenOut(parts: Parts, standings: readonly NextHosts[]): Promise<void> {
  for (const { from, to, amount } of evenLambda(standings)) {
    const part = parts.at(from);
    await part.leader.sendLambda(part.client, part.keys, { to, amount });
  }
}

/** Credit in transit that no part has taken yet: with the parts' own credit it makes up the total. */
export async function creditOnTheWay(parts: Parts): Promise<number> {
  return parts.sum(async (from) => {
    let sum = 0;
    for (const { to, first, entries } of await outboxOf(from, Number.MAX_SAFE_INTEGER)) {
      const other = parts.at(to);
      const taken = Number((await other.client.hget(stateKey(other, 'received'), String(from.number))) ?? 0);
      for (const { share, count } of entries.slice(Math.max(0, taken + 1 - first)).map(readEntry))
        sum += share * Math.max(1, count);
    }
    return sum;
  });
}
