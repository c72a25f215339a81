/** Scripts that coordinate the parts of one crawl (design/scale, "One crawl over several nodes"). */
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import { script, type FrontierScript } from './scripts.ts';

export interface AheadAnswer {
  /** One digit per URL, 1 where the page made it known. */
  readonly flags: string;
  /** Standing of each candidate. */
  readonly places: readonly number[];
}

/** Rest: groups of URLs, as in ADMIT. */
export const ADMIT_AHEAD: FrontierScript<'now' | 'page', AheadAnswer> = script(
  'admit-ahead',
  ['now', 'page'],
  (raw) => {
    const [flags, ...places] = listOf(raw);
    return { flags: replyText(flags), places: places.map(wholeOf) };
  },
);

/** Candidates for the next lease in a part. */
export interface NextHosts {
  readonly leased: number;
  /** One of the leases must be alone. */
  readonly isAlone: boolean;
  /** A page that must be visited alone is due. */
  readonly hasSuspect: boolean;
  readonly lambda: number;
  readonly domains: number;
  /** Since when the longest due host has been due (epoch ms); null where none is due. */
  readonly dueSince: number | null;
  /** Priorities of the due hosts, the highest first. */
  readonly priorities: readonly number[];
}

export const NEXT_HOSTS: FrontierScript<'now' | 'count' | 'parts' | 'epoch', NextHosts> = script(
  'next-hosts',
  ['now', 'count', 'parts', 'epoch'],
  (raw) => {
    const [leased, alone, suspect, lambda, domains, longest, ...priorities] = listOf(raw);
    return {
      leased: wholeOf(leased),
      isAlone: yesOrNo(alone),
      hasSuspect: yesOrNo(suspect),
      lambda: wholeOf(lambda),
      domains: wholeOf(domains),
      dueSince: longest === '' ? null : wholeOf(longest),
      // the priority of a host that comes after all others may be beyond the whole numbers
      priorities: priorities.map((text) => Number(replyText(text))),
    };
  },
);

/** Credit on its way to a part. */
export interface Sent {
  readonly to: number;
  /** Number of the first entry. */
  readonly first: number;
  readonly entries: readonly string[];
}

export const OUTBOX: FrontierScript<'count', readonly Sent[]> = script('outbox', ['count'], (raw) =>
  listOf(raw).map((each) => {
    const [to, first, ...entries] = listOf(each);
    return { to: wholeOf(to), first: wholeOf(first), entries: entries.map(replyText) };
  }),
);
/** Rest: credit per URL, and groups of lua/includes/credit_links.lua. Reply: number of the last entry taken. */
export const RECEIVE: FrontierScript<'from' | 'first' | 'last' | 'credit' | 'lambda' | 'epoch', number> = script(
  'receive',
  ['from', 'first', 'last', 'credit', 'lambda', 'epoch'],
  wholeOf,
);
/** Reply: number of entries forgotten. */
export const FORGET_SENT: FrontierScript<'to' | 'last' | 'epoch', number> = script(
  'forget-sent',
  ['to', 'last', 'epoch'],
  wholeOf,
);
export const SEND_LAMBDA: FrontierScript<'to' | 'amount' | 'epoch', boolean> = script(
  'send-lambda',
  ['to', 'amount', 'epoch'],
  yesOrNo,
);

/** `part` is empty to read only. Reply: the numbers of all parts with hosts on the address. */
export const NOTE_ADDRESS: FrontierScript<'address' | 'part', readonly number[]> = script(
  'note-address',
  ['address', 'part'],
  (raw) =>
    replyText(raw)
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
);
export interface AddressTimes {
  /** Time of the last start of a visit there (epoch ms). */
  readonly last: number;
  /** Earliest time not booked by a host (epoch ms). */
  readonly free: number;
}
export const ADDRESS_TIMES: FrontierScript<'address', AddressTimes> = script('address-times', ['address'], (raw) => {
  const [last, free] = listOf(raw);
  return { last: wholeOf(last), free: wholeOf(free) };
});
export const BOOK_ADDRESS: FrontierScript<'address' | 'last' | 'free' | 'epoch', boolean> = script(
  'book-address',
  ['address', 'last', 'free', 'epoch'],
  yesOrNo,
);
