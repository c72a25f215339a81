/** Scripts that only the process leading the crawl may run, under its epoch. A silent leader that was replaced is refused, and nothing changes. */
import { CrawlError } from '../base/errors.ts';
import type { LuaScript } from '../redis/lua-script.ts';
import * as parts from './part-scripts.ts';
import * as scripts from './scripts.ts';

type RunScript<Arg extends string, Reply> = LuaScript<'meta', Arg, Reply>['run'];

/** The error by which a leader script refuses an outdated epoch (lua/includes/leader.lua). */
const REFUSAL = /\bEPOCH (\d+) of (\d+)/;

interface LeaderScripts {
  readonly admit: RunScript<'now' | 'seeds' | 'shares', string>;
  readonly lease: RunScript<'now' | 'count' | 'leaseFor' | 'newHostDelay' | 'egresses' | 'fair', scripts.LeaseAnswer>;
  readonly reap: RunScript<'now' | 'hostDue' | 'which', scripts.ReapAnswer>;
  readonly unfold: RunScript<'now' | 'fold' | 'count', scripts.UnfoldAnswer>;
  readonly visitAgain: RunScript<'now' | 'recorded', number>;
  readonly stopping: RunScript<never, number>;
  readonly awaitingDns: RunScript<'now' | 'count' | 'term', readonly string[]>;
  readonly flushDeferred: RunScript<'now' | 'count', scripts.FlushAnswer>;
  readonly flushWithheld: RunScript<'now' | 'count', number>;
  readonly setHostLimit: RunScript<'limit' | 'count', number>;
  readonly journal: RunScript<'count', scripts.JournalAnswer>;
  readonly journalWritten: RunScript<'upTo' | 'position', boolean>;
  readonly nextHosts: RunScript<'now' | 'count' | 'parts', parts.NextHosts>;
  readonly receive: RunScript<'from' | 'first' | 'last' | 'credit' | 'lambda', number>;
  readonly forgetSent: RunScript<'to' | 'last', number>;
  readonly sendLambda: RunScript<'to' | 'amount', boolean>;
  readonly bookAddress: RunScript<'address' | 'last' | 'free', boolean>;
}

/**
 * Each script throws {CrawlError} CRAWL_LED where another epoch has begun.
 * @param epoch of this process; null where no other process can lead the crawl, and for workers, which admit the links of a large page
 */
export function leaderScripts(epoch: number | null): LeaderScripts {
  const own = epoch ?? '';
  const led =
    <Arg extends string, Reply>(script: LuaScript<'meta', Arg | 'epoch', Reply>): RunScript<Arg, Reply> =>
    (client, keys, args, rest) => {
      const all = { ...args, epoch: own } as Readonly<Record<Arg | 'epoch', string | number | Buffer>>;
      return script.run(client, keys, all, rest).catch((error: unknown) => {
        throw supersededOr(error);
      });
    };
  return {
    admit: led(scripts.ADMIT),
    lease: led(scripts.LEASE),
    reap: led(scripts.REAP),
    unfold: led(scripts.UNFOLD),
    visitAgain: led(scripts.VISIT_AGAIN),
    stopping: led(scripts.STOPPING),
    awaitingDns: led(scripts.AWAITING_DNS),
    flushDeferred: led(scripts.FLUSH_DEFERRED),
    flushWithheld: led(scripts.FLUSH_WITHHELD),
    setHostLimit: led(scripts.SET_HOST_LIMIT),
    journal: led(scripts.JOURNAL),
    journalWritten: led(scripts.JOURNAL_WRITTEN),
    nextHosts: led(parts.NEXT_HOSTS),
    receive: led(parts.RECEIVE),
    forgetSent: led(parts.FORGET_SENT),
    sendLambda: led(parts.SEND_LAMBDA),
    bookAddress: led(parts.BOOK_ADDRESS),
  };
}

function supersededOr(error: unknown): unknown {
  const [, own, last] = REFUSAL.exec(error instanceof Error ? error.message : '') ?? [];
  if (own === undefined || last === undefined) return error;
  return superseded(Number(own), Number(last));
}

/** @param last epoch of the current leader */
export function superseded(own: number, last: number): CrawlError {
  return new CrawlError(
    'CRAWL_LED',
    `Another process leads the crawl now, under epoch ${last}; this one had epoch ${own}, and has stopped.\nThe crawl goes on there.`,
    { data: { epoch: own, last } },
  );
}
