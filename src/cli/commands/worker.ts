/** `orbweaver worker --redis <url> --crawl <id>` */
import { Command, InvalidArgumentError, Option } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { secretsOf } from '../../crawl/folder/crawl-json.ts';
import { MOST_RENDERED_WORKERS } from '../../options/rendering-options.ts';
import { duration } from '../../options/value-type.ts';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import type { ExitCode } from '../exit-code.ts';
import { FLAGS } from '../flags/flags.ts';
import type { Flag } from '../flags/flag.ts';
import { gatherSettings } from '../flags/gather.ts';
import { listenForInterruption } from '../interruption.ts';
import { secretiveShell } from '../terminal/redacting-output.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, type Shell } from '../shell.ts';

/** Flags of `crawl` that say how this machine works; the others are the crawl's. */
const SHARED = [
  'redis',
  'redis-cluster',
  'workers',
  'browser',
  'log-level',
  'log-json',
  'metrics',
  'egress-address',
  'header',
  'http-auth',
  'proxy',
];

/** A worker's words for flags whose words in `crawl` are about a crawl. */
const OWN_WORDS: Readonly<Record<string, Partial<Pick<Flag, 'help' | 'defaultWords'>>>> = {
  header: { help: 'Value of a header that the crawl sends; it does not leave this machine but to sites.' },
  'http-auth': { help: 'Password of a host that the crawl signs in at; better in ORBWEAVER_HTTP_AUTH.' },
  proxy: {
    help: 'Proxy of this machine, where the crawl goes through one; its password stands in ORBWEAVER_PROXY_AUTH.',
  },
  redis: { help: 'The Redis server of the crawl; required.', defaultWords: null },
  workers: {
    help: `Makes this many visits at a time, neither more nor less: 1 to ${MOST_RENDERED_WORKERS}; up to 1000 for crawls with --render never.`,
  },
};

/** Kubernetes and Docker wait for 30 s and 10 s before they kill; the crawl's pages take some seconds. */
const GRACE = '25s';

interface OwnFlags {
  readonly crawl?: string;
  readonly crawlFolder?: string;
  readonly grace: number;
}

/** @param finish called with the exit code: 0 where the crawl has ended, or the worker was stopped, for then it has done its work */
export function workerCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = FLAGS.filter(({ name }) => SHARED.includes(name)).map((flag) => ({ ...flag, ...OWN_WORDS[flag.name] }));
  const command = new Command('worker')
    .summary("lend this machine's browsers to a crawl that another process leads")
    .description(
      'Makes visits of a crawl that another process leads (crawl --redis), until it ends. Any number may join and leave. Where each core of this machine has a browser of the crawl, a worker waits for one; with --workers it works at once.',
    )
    .option(
      '--crawl <id>',
      "The crawl's id, as `crawl` shows it, or '*' for every crawl of the server (ORBWEAVER_CRAWL).",
    )
    .option(
      '--crawl-folder <path>',
      'The crawl folder, where this machine sees it (default: files stay here, for gather).',
    )
    .addOption(
      new Option('--grace <dur>', `How long pages under way may take when the worker is stopped. (default: ${GRACE})`)
        .argParser(readDuration)
        .default(readDuration(GRACE), GRACE),
    )
    .addHelpText(
      'after',
      `\nExample:\n  ${callOf('worker', shell)} --redis redis://10.0.0.5:6379 --crawl c-0123456789ab`,
    );
  addFlags(command, flags);
  return command.action(async (own: OwnFlags) => {
    finish(await work(own, { command, flags }, shell));
  });
}

async function work(
  { crawl = '', crawlFolder, grace }: OwnFlags,
  { command, flags }: { readonly command: Command; readonly flags: readonly Flag[] },
  shell: Shell,
): Promise<ExitCode> {
  const settings = gatherSettings(givenFlags(command, flags), shell.variables, flags, shell.workingFolder);
  const { redis, redisCluster, workers, browser, logLevel, logJson, metrics, egressAddress } = settings;
  const { headers = [], httpAuth = [], proxy } = settings;
  const id = crawl === '' ? (shell.variables['ORBWEAVER_CRAWL'] ?? '') : crawl;
  if (redis === undefined) throw missing('--redis', 'the URL of the server that the crawl was given');
  if (id === '') throw missing('--crawl', "the id that `crawl` shows, or '*' for every crawl of the server");
  if (workers === 0)
    throw new CrawlError(
      'USAGE',
      `--workers: 0 is not accepted: a worker makes visits.\nAccepted: 1 to ${MOST_RENDERED_WORKERS}; up to 1000 for crawls with --render never.`,
    );
  const engine = await shell.engine();
  const secrets = secretsOf({ headers, proxy, httpAuth });
  const { errors } = secretiveShell(shell, secrets);
  const [draining, atOnce] = [new AbortController(), new AbortController()];
  const say = (text: string): void => void errors.write(`${safeText(text)}\n`);
  using _listening = listenForInterruption(shell.signals, shell.clock, (how, signal) => {
    say(
      how === 'drain' ? 'Stopping: the pages in flight are finished first.' : 'Stopping at once: pages are given back.',
    );
    const reason = new Error(`received ${signal}`);
    draining.abort(reason);
    if (how === 'at-once') atOnce.abort(reason);
  });
  await using log = logJson === true ? engine.openLog(logLevel ?? 'info', secrets) : null;
  const options = {
    redis,
    redisCluster: redisCluster === true,
    crawl: id,
    workers,
    browser,
    logLevel,
    metrics,
    egressAddress,
    headers,
    httpAuth,
    proxy,
    crawlFolder: crawlFolder ?? null,
    grace,
    log,
    say,
  };
  try {
    await engine.startWorker(options, shell.environment(), { draining: draining.signal, atOnce: atOnce.signal });
  } catch (error) {
    if (!draining.signal.aborted || error !== draining.signal.reason) throw withOwnCure(error);
  }
  return 0;
}

/** The error with a cure for a worker: what a crawl can do without a server, it cannot. */
function withOwnCure(error: unknown): unknown {
  if (!(error instanceof CrawlError) || error.code !== 'REDIS_UNREACHABLE' || error.data['isRefusal'] === true)
    return error;
  const [what = ''] = error.message.split('\n', 1);
  const cure = 'Check the address, and that the server runs: it is the one that the crawl was given.';
  return new CrawlError(error.code, `${what}\n${cure}`, { cause: error, data: error.data });
}

function missing(flag: string, what: string): CrawlError {
  return new CrawlError('USAGE', `worker needs ${flag}.\nGive ${what}.`);
}

function readDuration(text: string): number {
  const reading = duration(0).read([text]);
  if (reading.kind === 'refused') throw new InvalidArgumentError(`Accepted: ${duration(0).accepts}.`);
  return reading.value;
}
