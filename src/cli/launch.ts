/** What `crawl` and `resume` have in common: hold a running crawl until its end, listen to Ctrl-C, sum up. */
import type { Crawl } from '../crawl/crawl.ts';
import type { EngineEnvironment } from './engine.ts';
import { noteLine, type Loudness } from './event-line.ts';
import { exitCodeOfEnd, type ExitCode, type StopSignal } from './exit-code.ts';
import { listenForInterruption } from './interruption.ts';
import { jsonLog } from './json-log.ts';
import type { Settings } from './settings.ts';
import { invocation, nearPath, quoted, typedIn, type Shell } from './shell.ts';
import { summaryText } from './summary.ts';
import { paintFor, Terminal } from './terminal.ts';
import { watchCrawl } from './watch.ts';

export interface Launch {
  readonly shell: Shell;
  readonly settings: Settings;
  /** Shown before the crawl starts. */
  readonly notes: readonly string[];
  /** Starts or resumes. */
  readonly start: (environment: EngineEnvironment) => Promise<Crawl>;
}

/** Runs a crawl to its end. @throws {CrawlError} what starting throws */
export async function launchCrawl({ shell, settings, notes, start }: Launch): Promise<ExitCode> {
  using terminal = new Terminal(shell.errors, shell.variables);
  const loudness = loudnessOf(settings);
  if (loudness !== 'quiet') for (const note of notes) terminal.print(noteLine(note, terminal.paint));
  const interruption = new Interruption((text) => terminal.print(terminal.paint.notable(text)));
  using _listening = listenForInterruption(shell.signals, shell.clock, (how, signal) => interruption.ask(how, signal));
  await using crawl = await start(environmentFor(shell, settings));
  interruption.attach(crawl);
  const showsProgress = settings.progress !== false && loudness !== 'quiet' && settings.logJson !== true;
  const report = await watchCrawl(crawl, terminal, { loudness, showsProgress }, shell.clock);
  const from = typedIn(shell);
  const folder = nearPath(report.folder, from);
  const resumeCommand = `${invocation(shell)} resume ${quoted(folder)}`;
  if (loudness !== 'quiet') {
    const paint = paintFor(shell.output, shell.variables);
    const apart = shell.output.isTTY === true ? '\n' : '';
    shell.output.write(`${apart}${summaryText(report, { paint, folder, resumeCommand })}\n`);
  } else if (report.state !== 'finished') {
    terminal.print(`${report.end}: ${report.cause ?? 'the state is saved'}\n${resumeCommand}`);
  }
  return exitCodeOfEnd(report.end, interruption.signal);
}

/** Remembers who asked for an end, also before there is a crawl that could be stopped. */
class Interruption {
  readonly #say: (text: string) => void;
  #crawl: Crawl | null = null;
  #asked: 'drain' | 'at-once' | null = null;
  #signal: StopSignal | null = null;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** The first signal that was received. */
  get signal(): StopSignal | null {
    return this.#signal;
  }

  ask(how: 'drain' | 'at-once', signal: StopSignal): void {
    this.#signal ??= signal;
    this.#asked = how;
    this.#say(how === 'drain' ? this.#drainWords(signal) : 'Stopping at once; the state is being saved.');
    this.#crawl?.stop(how);
  }

  attach(crawl: Crawl): void {
    this.#crawl = crawl;
    if (this.#asked !== null) crawl.stop(this.#asked);
  }

  #drainWords(signal: StopSignal): string {
    const now = this.#crawl === null ? 'Stopping as soon as the crawl has started' : 'Stopping: the pages in flight are finished first';
    return `${now}. ${signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal'} stops at once.`;
  }
}

function environmentFor(shell: Shell, { logJson, logLevel }: Settings): EngineEnvironment {
  const environment = shell.environment(typedIn(shell));
  return logJson === true ? { ...environment, log: jsonLog(shell.errors, logLevel ?? 'info', shell.clock) } : environment;
}

function loudnessOf({ quiet, verbose }: Settings): Loudness {
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : 'normal';
}
