/** A shell that remembers its output; signals come from the test. */
import { EventEmitter } from 'node:events';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Engine } from '../../../src/cli/engine.ts';
import type { Variables } from '../../../src/cli/flags/environment.ts';
import { run } from '../../../src/cli/run.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { currentEnvironment, type CrawlEnvironment } from '../../../src/crawl/crawl-environment.ts';
import type { StartOptions } from '../../../src/crawl/start-crawl.ts';
import { FakeCrawl } from './fake-crawl.ts';

export interface FakeShellOptions {
  readonly words: readonly string[];
  readonly variables?: Variables;
  readonly workingFolder?: string;
  readonly input?: string;
  readonly crawl?: FakeCrawl;
  readonly clock?: Clock;
  readonly isTTY?: boolean;
  readonly engine?: Partial<Engine>;
}

export class FakeShell implements Shell {
  readonly words: readonly string[];
  readonly script = '/usr/local/bin/orbweaver';
  readonly variables: Variables;
  readonly workingFolder: string;
  readonly signals = new EventEmitter();
  readonly faults = new EventEmitter();
  readonly exits: number[] = [];
  readonly clock: Clock;
  readonly started: { readonly options: StartOptions; readonly environment: CrawlEnvironment }[] = [];
  readonly resumed: { readonly folder: string; readonly changes: Partial<StartOptions> }[] = [];
  readonly logLevels: string[] = [];
  readonly #options: FakeShellOptions;
  #output = '';
  #errors = '';

  constructor(options: FakeShellOptions) {
    this.#options = options;
    this.words = options.words;
    this.variables = options.variables ?? {};
    this.workingFolder = options.workingFolder ?? '/';
    this.clock = options.clock ?? systemClock;
  }

  get input(): AsyncIterable<string> {
    const text = this.#options.input ?? '';
    return (async function* () {
      yield text;
    })();
  }

  get output() {
    return {
      write: (text: string | Uint8Array) => (this.#output += wordsOf(text)),
      isTTY: this.#options.isTTY ?? false,
      columns: 100,
    };
  }

  get errors() {
    return {
      write: (text: string | Uint8Array) => (this.#errors += wordsOf(text)),
      isTTY: this.#options.isTTY ?? false,
      columns: 100,
    };
  }

  /** Text written to standard output. */
  get outputText(): string {
    return this.#output;
  }

  /** Text written to standard error. */
  get errorText(): string {
    return this.#errors;
  }

  exit = (code: number): void => void this.exits.push(code);

  environment = (): CrawlEnvironment => currentEnvironment({}, this.workingFolder);

  engine = async (): Promise<Engine> => {
    const crawl = this.#options.crawl ?? new FakeCrawl();
    return {
      startCrawl: async ({ signal: _signal, ...options }, environment) => {
        this.started.push({ options, environment });
        return crawl;
      },
      resumeCrawl: async (folder, { signal: _signal, ...changes }) => {
        this.resumed.push({ folder, changes });
        return crawl;
      },
      forecastCrawl: async () => {
        throw new Error('not asked for in this test');
      },
      isRecordedCrawl: async () => false,
      openReplayServer: async () => {
        throw new Error('not asked for in this test');
      },
      openSiteServer: async () => {
        throw new Error('not asked for in this test');
      },
      diagnoseMachine: async () => [],
      startWorker: async () => {},
      signInByHand: async () => {
        throw new Error('not asked for in this test');
      },
      openLog: (level) => {
        this.logLevels.push(level);
        return { ...silentLog, [Symbol.asyncDispose]: async () => {} };
      },
      ...this.#options.engine,
    };
  };
}

function wordsOf(text: string | Uint8Array): string {
  return typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
}

/** Runs a command line in a fake shell. */
export async function runFake(
  options: FakeShellOptions,
): Promise<{ readonly code: number; readonly shell: FakeShell }> {
  const shell = new FakeShell(options);
  return { code: await run(shell), shell };
}
