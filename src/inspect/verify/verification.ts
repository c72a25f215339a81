/** What a crawl folder was held to, and where it is not as it should be. */

/** Places of a check that are told; more are counted. */
const TOLD_PLACES = 20;

/** The parts of a crawl folder, in the order in which they are looked at. */
export type VerifiedPart =
  | 'crawl.json'
  | 'pages.jsonl'
  | 'links.jsonl'
  | 'skipped.jsonl'
  | 'details.jsonl'
  | 'findings.jsonl'
  | 'external.jsonl'
  | 'log.jsonl'
  | 'books'
  | 'snapshots'
  | 'archive';

/** One place that is not as it should be. */
export interface VerifyProblem {
  /** Relative to the crawl folder. */
  readonly file: string;
  /** Of the file, from 1; null where it is not one line. */
  readonly line: number | null;
  readonly url: string | null;
  readonly message: string;
}

export interface VerifiedCheck {
  readonly part: VerifiedPart;
  /** Lines, files or records that were looked at. */
  readonly looked: number;
  /** What was looked at, in words: `903 lines, each a page`. */
  readonly said: string;
  /** How many places are not as they should be. */
  readonly problems: number;
  /** The first {@link TOLD_PLACES} of them. */
  readonly first: readonly VerifyProblem[];
}

export interface CrawlVerification {
  /** Absolute. */
  readonly folder: string;
  readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
  /** Nothing that was looked at is otherwise than it should be. */
  readonly whole: boolean;
  /** Parts that the folder has. */
  readonly checks: readonly VerifiedCheck[];
  /** What was not looked at, or is no fault, in words. */
  readonly notes: readonly string[];
}

/** Collects what one check finds. */
export class ProblemList {
  readonly #file: string;
  readonly #first: VerifyProblem[] = [];
  #problems = 0;
  looked = 0;

  /** @param file of the problems that name no other */
  constructor(file: string) {
    this.#file = file;
  }

  add(message: string, { file = this.#file, line = null, url = null }: Partial<VerifyProblem> = {}): void {
    this.#problems += 1;
    if (this.#first.length < TOLD_PLACES) this.#first.push({ file, line, url, message });
  }

  check(part: VerifiedPart, said: string): VerifiedCheck {
    return { part, looked: this.looked, said, problems: this.#problems, first: this.#first };
  }
}
