/** One row of the hostile suite: an attack, what a crawl must make of it, and how both are tried. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkRecord, PageRecord, RecordOutcome, SkipReason, SkippedRecord } from '../../src/model/record.ts';
import type { Watched } from './tree-watch.ts';
import type { World } from './world.ts';

/** What a path is answered with: HTML, or whatever the function writes, down to bare bytes on the socket. */
export type Route = string | Handler;
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How a URL may end: an outcome of pages.jsonl, or a reason of skipped.jsonl after a colon. */
export type Disposition = RecordOutcome | `skipped:${SkipReason}`;

/** What the crawl left behind, and how it went. */
export interface Crawled {
  readonly world: World;
  readonly folder: string;
  readonly code: number | null;
  readonly pages: readonly PageRecord[];
  readonly links: readonly LinkRecord[];
  readonly skipped: readonly SkippedRecord[];
  readonly crawl: CrawlFileRead;
  /** Lines of log.jsonl as they stand there. */
  readonly log: readonly string[];
  /** All that the terminal was sent. */
  readonly terminal: Buffer;
  readonly watched: Watched;
  /** From the start of the command to its end. */
  readonly seconds: number;
  /** The record of a path of the hostile host; undefined where it has none. */
  readonly page: (path: string) => PageRecord | undefined;
}

/** Of crawl.json, what the suite asks. */
export interface CrawlFileRead {
  readonly state: string;
  readonly end?: string;
  readonly totals: Readonly<Record<'discovered' | 'visited' | 'failed' | 'skipped' | 'queued', number>>;
}

/** What is tried by a crawl of the real command, innocent pages and a calm host beside it. */
export interface CrawlFixture {
  /** Of the table of attacks (F01 …), or H and a number for what was found by trying. */
  readonly id: string;
  readonly attack: string;
  /** Paths that the seed page names, in this order and before the innocent ones; default `/hostile`. */
  readonly paths?: readonly string[];
  /**
   * What the hostile host answers beside its innocent pages, by path, and the third host by `third:` and path; `*` is any
   * other path but /robots.txt. Called once for each crawl.
   */
  readonly routes: (world: World) => Readonly<Record<string, Route>>;
  /** How each of these paths must end; several where more than one is true. Default: `/hostile` is captured. */
  readonly ends?: Readonly<Record<string, Disposition | readonly Disposition[]>>;
  readonly flags?: (world: World) => readonly string[];
  /** Seeds beside the two hosts' own; called once for each crawl, it may open servers. */
  readonly seeds?: (world: World) => readonly string[] | Promise<readonly string[]>;
  /** Variables of the command's environment; `HOSTILE_PRELOAD` is a module that is loaded before it. */
  readonly variables?: (world: World) => Readonly<Record<string, string>>;
  /** Default 0. */
  readonly exit?: number;
  /** What else must hold; each line says what does not. */
  readonly also?: (crawled: Crawled) => readonly string[] | Promise<readonly string[]>;
  /** Called where the crawl is under way and the first of `paths` was asked for. */
  readonly meanwhile?: (world: World, node: number) => void | Promise<void>;
  /** What is interrupted is resumed as well, and must come to its end. */
  readonly resumed?: true;
  /** Belongs to the few that run with all other tests. */
  readonly quick?: true;
}

/** What is tried on a part of the program, where a crawl would show no more. */
export interface PartFixture {
  readonly id: string;
  readonly attack: string;
  /** Which part. */
  readonly part: string;
  /** What does not hold. */
  readonly try: () => readonly string[] | Promise<readonly string[]>;
  readonly quick?: true;
}

export type Fixture = CrawlFixture | PartFixture;

/** Whether a browser saves what was there, gives a page up or loses it is the machine's; that the record says so is not. */
export const SURVIVED: readonly Disposition[] = ['captured', 'timed-out', 'crashed'];

export const MIB = 1024 * 1024;

/** A page that runs a script and is worth a browser. */
export function scripted(script: string, body = ''): string {
  return `<!doctype html><title>hostile</title><p>before</p><a href=/kept>kept</a>${body}<script>${script}</script>`;
}

/** Words for what does not hold; none where it does. */
export function must(holds: boolean, otherwise: string): readonly string[] {
  return holds ? [] : [otherwise];
}
