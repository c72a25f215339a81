/** The common part of `crawl` and `resume`: holds a running crawl until its end, listens to Ctrl-C, sums up. */
import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { isLoopbackName } from '../base/loopback-name.ts';
import { parsedUrl } from '../base/parsed-url.ts';
import { seconds, type Milliseconds } from '../base/units.ts';
import type { CrawlEnvironment } from '../crawl/crawl-environment.ts';
import { secretsOf } from '../crawl/folder/crawl-json.ts';
import type { Crawl } from '../crawl/crawl.ts';
import type { StartOptions } from '../crawl/start-crawl.ts';
import { httpAuthPlace } from '../model/http-auth.ts';
import { withoutUpstreamCredential } from '../model/upstream-proxy.ts';
import { splitHeaderLine } from '../model/user-headers.ts';
import type { Engine } from './engine.ts';
import { noteLine, type Loudness } from './text/event-line.ts';
import { exitCodeOfEnd, exitCodeOfError, exitCodeOfSignal, type ExitCode, type StopSignal } from './exit-code.ts';
import { listenForFaults } from './faults.ts';
import { listenForInterruption } from './interruption.ts';
import { secretiveShell } from './terminal/redacting-output.ts';
import { safeLines, safeText } from './terminal/safe-text.ts';
import { readEnvironment, type Variables } from './flags/environment.ts';
import { flagsOf } from './flags/flag-lookup.ts';
import type { Settings } from './flags/settings.ts';
import { invocation, nearPath, quoted, type Shell } from './shell.ts';
import { earlyEndText, summaryText } from './text/summary.ts';
import { paintFor, Terminal } from './terminal/terminal.ts';
import { watchCrawl } from './watch.ts';

interface CrawlLaunch {
  readonly shell: Shell;
  readonly engine: Engine;
  readonly settings: Settings;
  /** Shown before the crawl starts. */
  readonly notes: readonly string[];
  /** Starts or resumes, with a log and with a signal that gives up starting. */
  readonly start: (extras: Pick<StartOptions, 'log' | 'signal'>, environment: CrawlEnvironment) => Promise<Crawl>;
  /** Judges the crawl when it has ended. */
  readonly audit?: CrawlAudit | null;
}

/** The judging of a crawl that has ended. */
export interface CrawlAudit {
  /** Is it shown in place of the crawl's summary, not below it? */
  readonly alone: boolean;
  /** Does standard output belong to its report, so that the summary goes to the errors? Left out: no. */
  readonly takesOutput?: boolean;
  readonly run: (folder: string) => Promise<ExitCode>;
}

/** Runs a crawl to its end. @throws {CrawlError} what starting throws */
export async function launchCrawl(launch: CrawlLaunch): Promise<ExitCode> {
  const { engine, settings, notes, start, audit = null } = launch;
  const secrets = secretsOf({
    headers: settings.headers ?? [],
    proxy: settings.proxy,
    httpAuth: settings.httpAuth ?? [],
  });
  const shell = secretiveShell(launch.shell, secrets);
  using terminal = new Terminal(shell.errors, shell.variables);
  const loudness = loudnessOf(settings);
  if (loudness !== 'quiet') for (const note of notes) terminal.print(noteLine(note, terminal.paint));
  using interruption = new Interruption(shell.clock, (text) => terminal.print(terminal.paint.notable(text)));
  let slips = 0;
  const onFault = (how: 'break-off' | 'at-once' | 'of-user', error: unknown): void => {
    if (how === 'of-user') {
      slips += 1;
      if (slips <= SLIPS_SHOWN) terminal.print(terminal.paint.bad(slipWords(error)));
      return;
    }
    terminal.print(terminal.paint.bad(faultWords(how, error)));
    if (how === 'break-off') interruption.breakOff(error);
    else shell.exit(exitCodeOfError(error));
  };
  using _faults = listenForFaults(shell.faults, shell.clock, onFault, loadsFiles(settings));
  using listening = listenForInterruption(shell.signals, shell.clock, (how, signal) => interruption.ask(how, signal));
  await using log = settings.logJson === true ? engine.openLog(settings.logLevel ?? 'info', secrets) : null;
  await using crawl = await interruption.starting((signal) =>
    start(log === null ? { signal } : { signal, log }, shell.environment()),
  );
  if (crawl === null) return exitCodeOfSignal(interruption.signal ?? 'SIGINT');
  const showsProgress = settings.progress !== false && loudness !== 'quiet' && settings.logJson !== true;
  const report = await watchCrawl(crawl, terminal, { loudness, showsProgress }, shell.clock);
  const from = shell.workingFolder;
  const folder = nearPath(report.folder, from);
  const again = wordsToGiveAgain(settingsOfFlags(settings, shell.variables));
  const goingOn = safeText(`${invocation(shell)} resume ${quoted(folder)}${again}`);
  const isGone = report.end === 'broken' && !existsSync(report.folder); // what broke it off then
  const resumeCommand = isGone ? null : goingOn;
  if (loudness !== 'quiet' && audit?.alone !== true) {
    const output = audit?.takesOutput === true ? shell.errors : shell.output;
    const paint = paintFor(output, shell.variables);
    const apart = output.isTTY === true ? '\n' : '';
    output.write(`${apart}${summaryText(report, { paint, folder, resumeCommand })}\n`);
  } else if (report.state !== 'finished') {
    terminal.print(earlyEndText(report, resumeCommand));
  }
  const code = exitCodeOfEnd(report.end, interruption.signal);
  listening[Symbol.dispose](); // an audit that takes long listens by itself
  if (audit === null) return code;
  if (interruption.signal !== null) {
    // a user who interrupts a crawl wants no audit of it; that of one that had just ended was asked for, and no gate has passed
    if (code !== 0) return code;
    terminal.print(`The crawl in ${safeText(folder)} has ended; it was not judged, for the program was interrupted.`);
    return exitCodeOfSignal(interruption.signal);
  }
  const ofAudit = await audit.run(report.folder);
  return code === 0 ? ofAudit : code;
}

/** Options whose flags cannot be shown with their secrets. */
const SECRET_OPTIONS: ReadonlySet<string> = new Set(['proxy', 'httpAuth', 'headers', 'browser']);

/** The settings without secrets of the environment: that gives them to `resume` as well, and a flag, which is shown without them, would outrank it. */
function settingsOfFlags(settings: Settings, variables: Variables): Settings {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(settings));
  const flags = flagsOf('resume').filter(({ option }) => SECRET_OPTIONS.has(option) && values.has(option));
  const there: ReadonlyMap<string, unknown> = new Map(Object.entries(readEnvironment(variables, flags)));
  const isThere = (option: string, value: unknown): boolean =>
    there.has(option) && JSON.stringify(there.get(option)) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(settings).filter(([option, value]) => !isThere(option, value))) as Settings;
}

/** Options that the crawl folder does not keep, or may not choose (crawl/folder/resumed-options.ts): flags for `resume`, each after a blank. */
function wordsToGiveAgain(settings: Settings): string {
  const { browser, ungatedBrowser = false, proxy, headers = [], pageScripts = [], extensionFiles = [] } = settings;
  const { httpAuth = [], login, storageState, snapshotStorage, redis } = settings;
  const words = [
    ...(redis !== undefined && isShownElsewhere(redis) ? ['--redis', quoted(redis)] : []),
    ...(snapshotStorage === undefined ? [] : ['--snapshot-storage', quoted(snapshotStorage)]),
    ...(storageState === undefined ? [] : ['--storage-state', quoted(storageState)]),
    ...(login === undefined ? [] : ['--login', quoted(login)]),
    ...httpAuth.flatMap((text) => ['--http-auth', quoted(`…@${httpAuthPlace(text)}`)]),
    ...(proxy === undefined ? [] : ['--proxy', quoted(withoutUpstreamCredential(proxy))]),
    ...(browser === undefined ? [] : ['--browser', quoted(browser)]),
    ...(ungatedBrowser ? ['--ungated-browser'] : []),
    ...pageScripts.flatMap((text) => ['--page-script', quoted(text)]),
    ...extensionFiles.flatMap((file) => ['--extension', quoted(file)]),
    ...headers.flatMap((line) => ['--header', quoted(`${splitHeaderLine(line)[0]}: …`)]),
  ];
  return words.map((word) => ` ${word}`).join('');
}

/** Is the server on another machine, so that its folder may not choose it? A URL with a password is not shown: it mostly comes from the environment. */
function isShownElsewhere(redis: string): boolean {
  const url = parsedUrl(redis);
  return url !== null && url.username === '' && url.password === '' && !isLoopbackName(url.hostname);
}

/** An end at once takes no longer where Redis and the disk answer: then the user is told what can be done. */
const SLOW_END: Milliseconds = seconds(10);

/** Remembers requests for an end, also before there is a crawl to stop. */
class Interruption implements Disposable {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  readonly #over = new AbortController();
  readonly #givingUp = new AbortController();
  #crawl: Crawl | null = null;
  #asked: 'drain' | 'at-once' | null = null;
  #signal: StopSignal | null = null;
  #fault: { readonly error: unknown } | null = null;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  /** The first signal that was received. */
  get signal(): StopSignal | null {
    return this.#signal;
  }

  /** Gives up starting, or the running crawl, for an uncaught error. */
  breakOff(error: unknown): void {
    if (this.#crawl === null) this.#givingUp.abort(error);
    else this.#crawl.breakOff(error);
    this.#fault ??= { error };
  }

  ask(how: 'drain' | 'at-once', signal: StopSignal): void {
    this.#signal ??= signal;
    this.#asked = how;
    this.#say(how === 'drain' ? this.#drainWords(signal) : 'Stopping at once; the state is being saved.');
    if (how === 'at-once') void this.#noteSlowEnd(signal); // never rejects
    if (this.#crawl === null) this.#givingUp.abort(new Error(`received ${signal}`));
    else this.#crawl.stop(how);
  }

  async #noteSlowEnd(signal: StopSignal): Promise<void> {
    const isSlow = this.#clock.sleep(SLOW_END, this.#over.signal).then(
      () => true,
      () => false,
    );
    if (!(await isSlow)) return;
    const next = signal === 'SIGINT' ? 'Ctrl-C once more' : 'A third signal';
    this.#say(`Still saving: Redis or the disk does not answer. ${next} ends the program; what was saved is kept.`);
  }

  /** Starts the crawl; null where an asked-for end gave that up. @throws what starting throws */
  async starting(start: (signal: AbortSignal) => Promise<Crawl>): Promise<Crawl | null> {
    try {
      this.#crawl = await start(this.#givingUp.signal);
    } catch (error) {
      if (this.#fault !== null) throw this.#fault.error;
      if (this.#signal === null) throw error;
      this.#say('Stopped before the crawl had started.');
      return null;
    }
    if (this.#fault !== null) this.#crawl.breakOff(this.#fault.error);
    if (this.#asked !== null) this.#crawl.stop(this.#asked);
    return this.#crawl;
  }

  #drainWords(signal: StopSignal): string {
    const now = this.#crawl === null ? 'Stopping before the start' : 'Stopping: the pages in flight are finished first';
    return `${now}. ${signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal'} stops at once.`;
  }
}

function loadsFiles({ pageScripts = [], extensionFiles = [], login }: Settings): boolean {
  return pageScripts.length > 0 || extensionFiles.length > 0 || login !== undefined;
}

/** Failed promises of user files without an `await` that are shown; further ones are most often the same on another page. */
const SLIPS_SHOWN = 3;

function slipWords(error: unknown): string {
  const [what = '', ...frames] = String(error instanceof Error ? error.stack : error).split('\n');
  const place = frames.find((frame) => !/node:|node_modules/.test(frame) && /^\s+at /.test(frame))?.trim() ?? '';
  return safeLines(
    `a promise of an extension failed, and nobody waited for it (is an await missing?): ${what} ${place}`,
  );
}

function faultWords(how: 'break-off' | 'at-once', error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const next =
    how === 'break-off'
      ? 'The crawl is broken off; its state is being saved.'
      : 'It is not the first one: the program ends at once.';
  return `${safeLines(`this is a fault of the program, please report it: ${what}`)}\n${next}`;
}

function loudnessOf({ quiet, verbose }: Settings): Loudness {
  if (quiet === true) return 'quiet';
  return verbose === true ? 'verbose' : 'normal';
}
