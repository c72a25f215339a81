/** `orbweaver gather <crawl folder> <worker folder…>` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { sizeWords } from '../../base/size-words.ts';
import { gatherFiles } from '../../inspect/gather-files.ts';
import type { ExitCode } from '../exit-code.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, type Shell } from '../shell.ts';

/** @param finish called with the exit code */
export function gatherCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  return new Command('gather')
    .summary('bring together what workers kept on their own disks')
    .description(
      'Copies the snapshots and logs that workers kept into the folder of their crawl. Nothing is removed; given twice, the second changes nothing.',
    )
    .argument('<folder>', 'the crawl folder')
    .argument('<workers...>', 'folders of workers: orbweaver-worker-…')
    .addHelpText('after', `\nExample:\n  ${callOf('gather', shell)} site orbweaver-worker-*`)
    .action(async (folder: string, workers: readonly string[]) => {
      const from = shell.workingFolder;
      const { copied, bytes, there, ...all } = await gatherFiles(
        resolve(from, folder),
        workers.map((path) => resolve(from, path)),
      );
      const before = there === 0 ? '' : `; ${there} were there`;
      shell.output.write(safeText(`${copied} files of ${all.workers} workers (${sizeWords(bytes)})${before}`) + '\n');
      finish(0);
    });
}
