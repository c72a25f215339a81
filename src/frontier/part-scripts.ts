/** The scripts by which the parts of one crawl work together (design/scale, "One crawl over several nodes"). */
import { listOf, replyText, wholeOf, yesOrNo } from '../redis/reply.ts';
import { script, type FrontierScript } from './scripts.ts';

export interface AheadAnswer {
  /** A digit for each URL, 1 where the page made it known. */
  readonly flags: string;
  /** Where each candidate stands. */
  readonly places: readonly number[];
}

/** Rest: groups of URLs, as for ADMIT. */
export const ADMIT_AHEAD: FrontierScript<'now' | 'page', AheadAnswer> = script(
  'admit-ahead',
  ['now', 'page'],
  (raw) => {
    const [flags, ...places] = listOf(raw);
    return { flags: replyText(flags), places: places.map(wholeOf) };
  },
);

/** Who could be leased next in a part. */
export interface NextHosts {
  readonly leased: number;
  /** One of the leases must be alone. */
  readonly isAlone: boolean;
  /** A page that must be visited alone is due. */
  readonly hasSuspect: boolean;
  readonly lambda: number;
  readonly domains: number;
  /** When the host that is due longest was due (epoch ms); null where none is. */
  readonly dueSince: number | null;
  /** Of the hosts that are due, the highest first. */
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
      // of a host that comes after all others it may be beyond the whole numbers
      priorities: priorities.map((text) => Number(replyText(text))),
    };
  },
);

/** Credit that is on its way to a part. */
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
/** Rest: what each URL gets, and groups of lua/includes/credit_links.lua. Reply: number of the last entry that was taken. */
export const RECEIVE: FrontierScript<'from' | 'first' | 'last' | 'credit' | 'lambda' | 'epoch', number> = script(
  'receive',
  ['from', 'first', 'last', 'credit', 'lambda', 'epoch'],
  wholeOf,
);
/** Reply: how many were forgotten. */
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

/** `part` is empty where nothing is noted. Reply: the numbers of all parts with hosts on the address. */
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
  /** When a visit last began there (epoch ms). */
  readonly last: number;
  /** The next time that no host has booked (epoch ms). */
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
