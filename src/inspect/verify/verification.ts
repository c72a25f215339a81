/** The checks of a crawl folder, and the places where it is at fault. */

/** Places of a check that are reported; more are counted. */
const TOLD_PLACES = 20;

/** The parts of a crawl folder, in the order in which they are checked. */
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

/** One faulty place. */
export interface VerifyProblem {
  /** Relative to the crawl folder. */
  readonly file: string;
  /** Line of the file, from 1; null where it is not one line. */
  readonly line: number | null;
  readonly url: string | null;
  readonly message: string;
}

export interface VerifiedCheck {
  readonly part: VerifiedPart;
  /** Lines, files or records that were checked. */
  readonly looked: number;
  /** The checked things in words: `903 lines, each a page`. */
  readonly said: string;
  /** The number of faulty places. */
  readonly problems: number;
  /** The first {@link TOLD_PLACES} of them. */
  readonly first: readonly VerifyProblem[];
}

export interface CrawlVerification {
  /** Absolute. */
  readonly folder: string;
  readonly state: 'running' | 'interrupted' | 'finished' | 'failed';
  /** Is there no fault in what was checked? */
  readonly whole: boolean;
  /** Parts that the folder has. */
  readonly checks: readonly VerifiedCheck[];
  /** Parts that were not checked, and facts that are no fault, in words. */
  readonly notes: readonly string[];
}

/** Collects the problems of one check. */
export class ProblemList {
  readonly #file: string;
  readonly #first: VerifyProblem[] = [];
  #problems = 0;
  looked = 0;

  /** @param file of problems that name no other */
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
