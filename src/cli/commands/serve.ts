/** `orbweaver serve <site folder>` */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { counted } from '../../base/count-words.ts';
import { CrawlError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import type { ReplayServer } from '../../replay/open-replay-server.ts';
import type { ExitCode, StopSignal } from '../exit-code.ts';
import { STOP_SIGNALS } from '../interruption.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, quoted, type Shell } from '../shell.ts';

/** Origins of a recorded crawl that are shown. */
const SHOWN_ORIGINS = 20;

/** @param finish called with the exit code: 0, for a server that is stopped has done its work */
export function serveCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  return new Command('serve')
    .summary('serve a built site, a fixture site (site.json and www/) or a recorded crawl on loopback')
    .description(
      'Serves a built site, a fixture site (site.json and www/), a crawl with an archive (--snapshot warc), a WACZ file or WARC files, on loopback until Ctrl-C.',
    )
    .argument('<folder>', 'the site')
    .option('--port <n>', 'Port to listen on (default: one that is free).', readPort, 0)
    .option('--log-json', 'Writes the log to standard error, one JSON object on each line.')
    .action(async (folder: string, { port, logJson }: { readonly port: number; readonly logJson?: boolean }) => {
      const stopped = nextSignal(shell);
      const engine = await shell.engine();
      await using log = logJson === true ? engine.openLog('info', []) : null;
      const site = resolve(shell.workingFolder, folder);
      if (await engine.isRecordedCrawl(site)) {
        await using replay = await engine.openReplayServer(site, { port }, log ?? silentLog);
        showReplay(replay, shell);
        shell.errors.write(
          `Crawl it with: ${callOf('crawl', shell)} ${quoted(safeText(folder))}\nCtrl-C ends the server.\n`,
        );
        await stopped;
        shell.errors.write(
          `${counted(replay.answered, 'request')} answered; ${replay.missing} for what was not recorded, or cannot be read.\n`,
        );
        return finish(0);
      }
      await refuseCrawl(site, folder);
      await using server = await engine.openSiteServer(site, { port, address: '127.0.0.1' }, log ?? silentLog);
      const names = [...server.origins.values()].map((origin) => safeText(origin));
      shell.output.write(`${safeText(server.url)}\n`);
      if (names.length > 1) shell.errors.write(`Hosts: ${names.join(', ')}\n`);
      if (server.published !== null)
        shell.errors.write(`${safeText(server.published)}/ is served from the folder, as its links name it\n`);
      if (server.above !== null)
        shell.errors.write(
          `${safeText(server.above.reference)} is above the folder and not served; ${safeText(server.above.folder)} has both\n`,
        );
      shell.errors.write(`Crawl it with: ${callOf('crawl', shell)} ${safeText(server.url)}\nCtrl-C ends the server.\n`);
      await stopped;
      finish(0);
    });
}

/** @throws {CrawlError} SEED_INVALID for a crawl without an archive: as a site it would have no page */
async function refuseCrawl(path: string, typed: string): Promise<void> {
  const isThere = async (name: string): Promise<boolean> =>
    (await stat(join(path, name)).catch(() => null))?.isFile() === true;
  if (!(await isThere('crawl.json')) || (await isThere('site.json')) || (await isThere('index.html'))) return;
  throw new CrawlError(
    'SEED_INVALID',
    `${JSON.stringify(typed)} is the folder of a crawl without an archive\nOnly one that was made with --snapshot warc can be served; \`show\` prints what others have kept.`,
  );
}

function showReplay({ seeds, origins, damage }: ReplayServer, shell: Shell): void {
  const [first = ''] = seeds;
  shell.output.write(`${safeText(first)}\n`);
  for (const [recorded, served] of [...origins].slice(0, SHOWN_ORIGINS))
    shell.errors.write(`${safeText(recorded)} is ${safeText(served)}\n`);
  if (origins.size > SHOWN_ORIGINS) shell.errors.write(`… and ${origins.size - SHOWN_ORIGINS} more\n`);
  if (damage !== null) shell.errors.write(`${safeText(damage)}\n`);
  shell.errors.write('What was not recorded is answered with 404.\n');
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Accepted: a port from 0 to 65535; 0 takes one that is free.');
  return port;
}

async function nextSignal({ signals }: Shell): Promise<StopSignal> {
  return new Promise((settle) => {
    const listeners = STOP_SIGNALS.map((signal) => ({ signal, listener: () => end(signal) }));
    const end = (received: StopSignal) => {
      for (const { signal, listener } of listeners) signals.off(signal, listener);
      settle(received);
    };
    for (const { signal, listener } of listeners) signals.on(signal, listener);
  });
}
