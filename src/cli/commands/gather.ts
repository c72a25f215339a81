/** `orbweaver gather <crawl folder> <worker folder…>` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { sizeWords } from '../../base/size-words.ts';
import { CrawlError } from '../../base/errors.ts';
import { fetchStored } from '../../inspect/fetch-stored.ts';
import { gatherFiles } from '../../inspect/gather-files.ts';
import type { ExitCode } from '../exit-code.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, type Shell } from '../shell.ts';

/** @param finish called with the exit code */
export function gatherCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  return new Command('gather')
    .summary('bring together what workers kept on their own disks')
    .description(
      'Copies the snapshots, archives and logs that workers kept, and the snapshots in a storage, into the folder of their crawl. Nothing is removed; given twice, the second changes nothing.',
    )
    .argument('<folder>', 'the crawl folder')
    .argument(
      '[workers...]',
      'folders of workers: orbweaver-worker-…; none where they wrote into the crawl folder or a storage',
    )
    .addHelpText('after', `\nExample:\n  ${callOf('gather', shell)} site orbweaver-worker-*`)
    .action(async (folder: string, workers: readonly string[]) => {
      const from = shell.workingFolder;
      const { copied, bytes, there, ...all } = await gatherFiles(
        resolve(from, folder),
        workers.map((path) => resolve(from, path)),
      );
      const before = there === 0 ? '' : `; ${there} were there`;
      if (workers.length > 0 || copied > 0)
        shell.output.write(safeText(`${copied} files of ${all.workers} workers (${sizeWords(bytes)})${before}`) + '\n');
      const stored = await fetchStored(resolve(from, folder), shell.variables, NEVER);
      if (stored !== null) tellStored(stored, folder, shell);
      else if (workers.length === 0 && copied === 0)
        shell.output.write(`nothing to gather: all of it is in ${safeText(folder)}\n`);
      finish(0);
    });
}

const NEVER = new AbortController().signal;

/** @throws {CrawlError} NOT_STORED where the storage lacks files: those that it has were fetched */
function tellStored(
  { storage, copied, bytes, there, missing, notes }: NonNullable<Awaited<ReturnType<typeof fetchStored>>>,
  folder: string,
  shell: Shell,
): void {
  for (const note of notes) shell.errors.write(`note  ${safeText(note)}\n`);
  const before = there === 0 ? '' : `; ${there} were there`;
  shell.output.write(safeText(`${copied} files of ${storage} (${sizeWords(bytes)})${before}`) + '\n');
  if (missing === 0) return;
  throw new CrawlError(
    'NOT_STORED',
    `${missing} files that ${folder} names are not in ${storage}\nCheck AWS_ENDPOINT_URL and AWS_REGION; what was removed there cannot be brought back.`,
  );
}
