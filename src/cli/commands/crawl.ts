/** `orbweaver crawl <url|folder…>` */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { safeJson } from '../../base/safe-json.ts';
import type { CrawlOptions } from '../../options/options.ts';
import { crawlJudging, withNoise } from '../diff/crawl-judging.ts';
import { isAudited } from '../audit/remembered-audit.ts';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import { flagsKeptByNpm, strangeVariables } from '../flags/environment.ts';
import { exitCodeOfSignal, type ExitCode, type StopSignal } from '../exit-code.ts';
import type { Flag } from '../flags/flag.ts';
import { flagsOf } from '../flags/flag-lookup.ts';
import { FLAGS } from '../flags/flags.ts';
import { forecastText, shownForecast } from '../text/forecast-text.ts';
import { gatherSettings } from '../flags/gather.ts';
import { listenForInterruption } from '../interruption.ts';
import { launchCrawl } from '../launch.ts';
import { checkOptions } from '../flags/option-names.ts';
import { redactingOutput } from '../terminal/redacting-output.ts';
import { fileFault } from '../flags/file-fault.ts';
import { checkSeeds, readSeedList } from '../flags/seed-arguments.ts';
import { crawlInput, type Settings } from '../flags/settings.ts';
import { callOf, type Shell } from '../shell.ts';
import { foldWidthOf, paintFor } from '../terminal/terminal.ts';

const afterHelp = (call: string): string => `
Examples:
  ${call} https://example.org/
  ${call} https://example.org/docs/ --scope prefix --limit 500 -o docs
  ${call} ./dist --snapshot html,screenshot`;

/** Flags that only a comparison uses. */
const OF_PICTURES: ReadonlySet<string> = new Set(['picture-threshold', 'picture-region']);

/** @param finish called with the exit code */
export function crawlCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = flagsOf('crawl');
  const command = new Command('crawl')
    .summary('crawl a site or a folder, write a crawl folder, print a summary')
    .description(
      'Crawls sites with a headless browser, writes a crawl folder and prints a summary.\n\n' +
        'Durations take a unit (500ms, 30s, 5m, 2h); a bare number is seconds. ' +
        'Every flag can also stand in the config file under its name without dashes, and in the environment as ORBWEAVER_<FLAG>. ' +
        'A flag goes before the environment, the environment before the config file.',
    )
    .argument('[seeds...]', 'http(s) URLs, or folders, which are served on loopback and crawled as a site')
    .addHelpText('after', afterHelp(callOf('crawl', shell)));
  addFlags(command, flags);
  return command.action(async (seeds: string[]) => {
    const given = givenFlags(command, flags);
    const settings = gatherSettings(given, shell.variables, flags, shell.workingFolder);
    if (settings.against === undefined) refuseIdle(flags, given, settings.audit === true);
    finish(await crawl(seeds, settings, shell));
  });
}

/** @throws {CrawlError} USAGE for a typed flag that judges nothing; config file and environment serve other commands, too */
function refuseIdle(flags: readonly Flag[], given: ReadonlyMap<string, unknown>, audits: boolean): void {
  const isIdle = ({ name, group }: Flag): boolean =>
    given.has(name) && (OF_PICTURES.has(name) || (!audits && group === 'judgement' && name !== 'learn-noise'));
  const idle = flags.find(isIdle);
  if (idle === undefined) return;
  const [needed, cure] = OF_PICTURES.has(idle.name)
    ? ['--against', 'Name the crawl folder or the baseline whose screenshots are to be compared.']
    : ['--audit or --against', 'Give one of them, too.'];
  throw new CrawlError('USAGE', `--${idle.name} has no effect without ${needed}.\n${cure}`);
}

/**
 * Crawls to the end.
 * @param alone prints the audit in place of the summary
 */
export async function crawl(
  typed: readonly string[],
  settings: Settings,
  shell: Shell,
  alone = false,
): Promise<ExitCode> {
  refuseLostFlags(shell);
  const seeds = await collectSeeds(typed, settings, shell);
  const { resume, output } = settings;
  const goesOn =
    resume === true && output !== undefined && seeds.length === 0 ? resolve(shell.workingFolder, output) : null;
  const audits = alone || settings.audit === true || (goesOn !== null && (await isAudited(goesOn)));
  const external: 'check' | 'none' = alone ? 'check' : 'none';
  const target = goesOn === null ? { external } : ({ external, folder: goesOn, goesOn: true } as const);
  const judging = await crawlJudging(settings, shell, { alone, audits, target });
  const own = { ...crawlInput(settings), ...(audits ? { audit: true } : {}) };
  const options: CrawlOptions = { ...own, seeds };
  if (settings.resume !== true || seeds.length > 0) checkOptions(options);
  const engine = await shell.engine();
  if (settings.dryRun === true) {
    return dryRun(options, settings, shell);
  }
  const again = (folder: string): Promise<ExitCode> =>
    launchCrawl({
      ...{ shell, engine, settings: { ...settings, quiet: true, progress: false }, notes: [] },
      start: (extras, environment) => engine.startCrawl({ ...options, ...extras, output: folder }, environment),
    });
  return launchCrawl({
    shell,
    engine,
    settings,
    notes: strangeVariables(shell.variables, FLAGS),
    audit: settings.learnNoise === true ? withNoise(again, judging, shell) : judging,
    start: (extras, environment) =>
      goesOn !== null
        ? engine.resumeCrawl(goesOn, { ...own, ...extras }, environment)
        : engine.startCrawl({ ...options, ...extras }, environment),
  });
}

/** Forecasts the crawl; Ctrl-C ends the forecast. Code 3 where no seed could be visited, as the crawl would end. */
async function dryRun(options: CrawlOptions, { json, quiet }: Settings, shell: Shell): Promise<ExitCode> {
  const stopping = new AbortController();
  let received: StopSignal | null = null;
  using _listening = listenForInterruption(shell.signals, shell.clock, (_how, signal) => {
    received ??= signal;
    stopping.abort(new Error(`received ${signal}`));
  });
  try {
    const engine = await shell.engine();
    if (shell.errors.isTTY === true && quiet !== true) {
      shell.errors.write('Visiting up to ten pages as a sample, for a minute at the most; Ctrl-C ends it.\n');
    }
    const forecast = await engine.forecastCrawl(options, shell.environment(), stopping.signal);
    const frame = {
      paint: paintFor(shell.output, shell.variables),
      from: shell.workingFolder,
      width: foldWidthOf(shell.output),
    };
    if (json === true) shell.output.write(`${safeJson(shownForecast(forecast), 2)}\n`);
    else redactingOutput(shell.output).write(`${forecastText(forecast, frame)}\n`);
    return forecast.sample.cause === null ? 0 : 3;
  } catch (error) {
    if (received === null) throw error;
    return exitCodeOfSignal(received);
  }
}

/** @throws {CrawlError} USAGE where flags were typed before npm's `--` */
function refuseLostFlags(shell: Shell): void {
  const [name] = flagsKeptByNpm(shell.variables, FLAGS);
  if (name === undefined) return;
  throw new CrawlError(
    'USAGE',
    `npm kept --${name} for itself and did not pass it on.\nWrite -- before what is for orbweaver: npm run crawl -- <url> --${name} …`,
  );
}

/** Seeds in the order of arguments, `--url`, `--url-list`; each once. */
async function collectSeeds(typed: readonly string[], settings: Settings, shell: Shell): Promise<readonly string[]> {
  const from = shell.workingFolder;
  const direct = await checkSeeds([...typed, ...(settings.urls ?? [])], from);
  const listed =
    settings.urlList === undefined
      ? []
      : await readSeedList(
          await readList(settings.urlList, shell),
          from,
          settings.urlList === '-' ? 'standard input' : settings.urlList,
        );
  const seeds = [...new Set([...direct, ...listed])];
  if (seeds.length > 0 || settings.resume === true) return seeds;
  const taken = settings.sitemaps?.find((place) => !place.startsWith('/'));
  const cure =
    taken === undefined
      ? `Give an http(s) URL or a folder: ${callOf('crawl', shell)} https://example.org/`
      : `--sitemap took ${taken} for a sitemap: write the seeds before it.`;
  throw new CrawlError('USAGE', `There is nothing to crawl.\n${cure}`);
}

async function readList(list: string, shell: Shell): Promise<Buffer> {
  if (list !== '-') {
    return readFile(resolve(shell.workingFolder, list)).catch((cause: unknown) => {
      const why = `--url-list: ${JSON.stringify(list)} cannot be read: ${fileFault(cause)}.`;
      throw new CrawlError('USAGE', `${why}\nAccepted: the path of a text file, or - for standard input.`, { cause });
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of shell.input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
