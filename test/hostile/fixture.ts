/** One row of the hostile suite: an attack, its required result in a crawl, and how both are tried. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkRecord, PageRecord, RecordOutcome, SkipReason, SkippedRecord } from '../../src/model/record.ts';
import type { Watched } from './tree-watch.ts';
import type { World } from './world.ts';

/** The answer for a path: HTML, or a function that writes anything, even raw bytes on the socket. */
export type Route = string | Handler;
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How a URL may end: an outcome of pages.jsonl, or a reason of skipped.jsonl after a colon. */
export type Disposition = RecordOutcome | `skipped:${SkipReason}`;

/** The results of a crawl, and its course. */
export interface Crawled {
  readonly world: World;
  readonly folder: string;
  readonly code: number | null;
  readonly pages: readonly PageRecord[];
  readonly links: readonly LinkRecord[];
  readonly skipped: readonly SkippedRecord[];
  readonly crawl: CrawlFileRead;
  /** Lines of log.jsonl, verbatim. */
  readonly log: readonly string[];
  /** All bytes sent to the terminal. */
  readonly terminal: Buffer;
  readonly watched: Watched;
  /** Duration of the command. */
  readonly seconds: number;
  /** The record of a path of the hostile host; undefined if it has none. */
  readonly page: (path: string) => PageRecord | undefined;
}

/** The fields of crawl.json that the suite reads. */
export interface CrawlFileRead {
  readonly state: string;
  readonly end?: string;
  readonly totals: Readonly<Record<'discovered' | 'visited' | 'failed' | 'skipped' | 'queued', number>>;
}

/** An attack tried by a crawl with the real command, beside innocent pages and a calm host. */
export interface CrawlFixture {
  /** Id from the table of attacks (F01 …), or H and a number for an attack found by trying. */
  readonly id: string;
  readonly attack: string;
  /** Paths that the seed page links to, in this order and before the innocent ones; default `/hostile`. */
  readonly paths?: readonly string[];
  /**
   * The hostile host's answers besides its innocent pages, by path, and the third host's by `third:` and path; `*` is any
   * other path but /robots.txt. Called once for each crawl.
   */
  readonly routes: (world: World) => Readonly<Record<string, Route>>;
  /** The required outcome of each of these paths; several if more than one is right. Default: `/hostile` is captured. */
  readonly ends?: Readonly<Record<string, Disposition | readonly Disposition[]>>;
  readonly flags?: (world: World) => readonly string[];
  /** Seeds besides those of the two hosts; called once for each crawl, it may open servers. */
  readonly seeds?: (world: World) => readonly string[] | Promise<readonly string[]>;
  /** Variables of the command's environment; `HOSTILE_PRELOAD` is a module loaded before the command. */
  readonly variables?: (world: World) => Readonly<Record<string, string>>;
  /** Default 0. */
  readonly exit?: number;
  /** Further checks; returns one line for each that fails. */
  readonly also?: (crawled: Crawled) => readonly string[] | Promise<readonly string[]>;
  /** Called during the crawl, after the first request for one of `paths`. */
  readonly meanwhile?: (world: World, node: number) => void | Promise<void>;
  /** The interrupted crawl is also resumed and must complete. */
  readonly resumed?: true;
  /** Is it one of the few that run with all other tests? */
  readonly quick?: true;
}

/** An attack tried on a part of the program, where a crawl would show no more. */
export interface PartFixture {
  readonly id: string;
  readonly attack: string;
  /** The part of the program. */
  readonly part: string;
  /** Returns one line for each check that fails. */
  readonly try: () => readonly string[] | Promise<readonly string[]>;
  readonly quick?: true;
}

export type Fixture = CrawlFixture | PartFixture;

/** The machine decides whether a browser survives with its content, aborts a page or loses it; the record must say so in any case. */
export const SURVIVED: readonly Disposition[] = ['captured', 'timed-out', 'crashed'];

export const MIB = 1024 * 1024;

/** A page with a script, which needs a browser. */
export function scripted(script: string, body = ''): string {
  return `<!doctype html><title>hostile</title><p>before</p><a href=/kept>kept</a>${body}<script>${script}</script>`;
}

/** `otherwise` if the condition fails; empty if it holds. */
export function must(holds: boolean, otherwise: string): readonly string[] {
  return holds ? [] : [otherwise];
}
