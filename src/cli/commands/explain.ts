/** `orbweaver explain <folder> <url>` */
import { Command, InvalidArgumentError } from 'commander';
import { safeJson } from '../../base/safe-json.ts';
import { explainUrl } from '../../inspect/explain-url.ts';
import type { ExitCode } from '../exit-code.ts';
import { historyText } from '../text/history-text.ts';
import { readersOutput } from '../terminal/redacting-output.ts';
import { folderArgument } from '../folder-argument.ts';
import { callOf, nearPath, quoted, type Shell } from '../shell.ts';
import { foldWidthOf, paintFor } from '../terminal/terminal.ts';

const LINKS = 10;
const MOST_LINKS = 10_000;

/** @param finish called with the exit code: 0, also for an unknown URL */
export function explainCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('explain', shell);
  return new Command('explain')
    .summary('show the history of one URL: who linked to it, what decided about it, what came of it')
    .description(
      'Shows the whole history of one URL out of a crawl folder, also of one that was never visited or never seen.',
    )
    .argument('<folder>', 'the crawl folder')
    .argument('<url>', "an http(s) URL, or a path on the first seed's host")
    .option('--links <n>', 'Shows at most this many of the links to it.', readCount, LINKS)
    .option('--json', 'Prints one JSON object.')
    .addHelpText('after', `\nExample:\n  ${call} orbweaver-example.org-20260102-030405 https://example.org/about`)
    .action(async (folder: string, url: string, given: { readonly links: number; readonly json?: boolean }) => {
      const from = shell.workingFolder;
      const history = await explainUrl(await folderArgument(shell, 'explain', { folder, url }), url, {
        links: given.links,
      });
      const frame = {
        paint: paintFor(shell.output, shell.variables),
        width: foldWidthOf(shell.output),
        folder: nearPath(history.crawl.folder, from),
        resumeCommand: `${callOf('resume', shell)} ${quoted(nearPath(history.crawl.folder, from))}`,
      };
      if (given.json === true) shell.output.write(`${safeJson(history, 2)}\n`);
      else readersOutput(shell.output).write(`${historyText(history, frame)}\n`);
      finish(0);
    });
}

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= MOST_LINKS)) throw new InvalidArgumentError(`Accepted: a number from 0 to ${MOST_LINKS}.`);
  return count;
}
