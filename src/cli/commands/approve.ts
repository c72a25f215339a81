/** `orbweaver approve <new>` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted, grouped } from '../../base/count-words.ts';
import { sizeWords } from '../../base/size-words.ts';
import { approveCrawl } from '../../compare/approve-crawl.ts';
import type { ExitCode } from '../exit-code.ts';
import { folderArgument } from '../folder-argument.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, nearPath, quoted, type Shell } from '../shell.ts';

/** The place of the baseline if the user names none. */
const USUAL = 'orbweaver-baseline';

interface Given {
  readonly only?: readonly string[];
  readonly to: string;
  readonly pictures?: boolean;
}

/** @param finish called with the exit code */
export function approveCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('approve', shell);
  const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...text.split(',')];
  return new Command('approve')
    .summary('make a crawl, or a part of it, the baseline that later crawls are compared with')
    .description(
      'Writes what is compared of a crawl into a small folder, to be committed; diff and crawl --against read it.',
    )
    .argument('<new>', 'a crawl folder')
    .option(
      '--only <what>',
      'Approves this alone: a facet (text, title, links …) or pages (/blog/*); may be given several times.',
      collect,
    )
    .option('--to <folder>', 'The folder of the baseline.', USUAL)
    .option('--pictures', 'Keeps the screenshots, too; a baseline that has some does so by itself.')
    .option('--no-pictures', 'Keeps no screenshots, and removes those of the pages that are approved.')
    .addHelpText(
      'after',
      `\nExamples:\n  ${call} orbweaver-example.org-20260109-030405\n  ${call} new --only text --only '/blog/*' --to baseline`,
    )
    .action(async (folder: string, { only = [], to, pictures: keeps }: Given) => {
      const path = resolve(shell.workingFolder, to);
      const crawl = await folderArgument(shell, 'approve', { folder });
      const { pages, changed, bytes, isNew } = await approveCrawl(crawl, path, {
        only,
        ...(keeps === undefined ? {} : { pictures: keeps }),
      });
      const shown = safeText(nearPath(path, shell.workingFolder));
      const perPage = pages === 0 ? '' : `, ${sizeWords(bytes / pages)} a page`;
      shell.output.write(
        `${isNew ? 'New baseline' : 'Baseline'} ${shown}: ${counted(pages, 'page')}${isNew ? '' : `, ${grouped(changed)} changed`}; ${sizeWords(bytes)}${perPage}\n` +
          `Compare with it: ${callOf('diff', shell)} ${quoted(shown)} <crawl folder>\n`,
      );
      finish(0);
    });
}
