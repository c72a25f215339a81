/** `orbweaver verify <folder>` */
import { Command } from 'commander';
import { safeJson } from '../../base/safe-json.ts';
import type { CrawlVerification, VerifiedCheck } from '../../inspect/verify/verification.ts';
import { verifyCrawl } from '../../inspect/verify/verify-crawl.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Paint } from '../terminal/paint.ts';
import { readersOutput } from '../terminal/redacting-output.ts';
import { rowsText, type Row } from '../terminal/rows.ts';
import { safeText } from '../terminal/safe-text.ts';
import { folderArgument } from '../folder-argument.ts';
import { callOf, nearPath, type Shell } from '../shell.ts';
import { foldWidthOf, paintFor } from '../terminal/terminal.ts';

/** @param finish called with the exit code: 0 for a whole folder, 1 where anything in it is otherwise than it should be */
export function verifyCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('verify', shell);
  return new Command('verify')
    .summary('prove that a crawl folder is whole: lines, books, snapshots, archive')
    .description(
      'Proves that a crawl folder is whole: each line is as it should be, the books balance, each snapshot is there and as it was written, each record of the archive has its digest. Changes nothing.',
    )
    .argument('<folder>', 'the crawl folder')
    .option('--json', 'Prints one JSON object.')
    .addHelpText('after', `\nExample:\n  ${call} orbweaver-example.org-20260102-030405`)
    .action(async (folder: string, given: { readonly json?: boolean }) => {
      const verified = await verifyCrawl(await folderArgument(shell, 'verify', { folder }));
      const near = nearPath(verified.folder, shell.workingFolder);
      if (given.json === true) shell.output.write(`${safeJson(verified, 2)}\n`);
      else {
        const paint = paintFor(shell.output, shell.variables);
        const text = verificationText(verified, { near, paint, width: foldWidthOf(shell.output) });
        readersOutput(shell.output).write(`${text}\n`);
      }
      finish(verified.whole ? 0 : 1);
    });
}

interface Frame {
  /** The folder, for the reader. */
  readonly near: string;
  readonly paint: Paint;
  readonly width: number;
}

function verificationText({ whole, checks, notes }: CrawlVerification, { near, paint, width }: Frame): string {
  const rows: Row[] = checks.map((check) => ({ title: check.part, lines: linesOf(check, paint) }));
  const told = notes.map((note) => `${paint.notable('note')}  ${safeText(note)}`);
  const count = checks.reduce((sum, { problems }) => sum + problems, 0);
  const places = count === 1 ? 'one place is not as it should be' : `${count} places are not as they should be`;
  const end = whole
    ? `${safeText(near)} is ${paint.good('whole')}.`
    : `${safeText(near)} is ${paint.bad('not whole')}: ${places}.`;
  return [rowsText(rows, { paint, width }), '', ...told, end].join('\n');
}

function linesOf({ said, problems, first }: VerifiedCheck, paint: Paint): readonly string[] {
  if (problems === 0) return [`${paint.good('ok')}  ${safeText(said)}`];
  const told = first.map(({ file, line, url, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `  ${safeText(`${place}: ${message}${url === null ? '' : ` (${url})`}`)}`;
  });
  const more = problems > first.length ? [`  and ${problems - first.length} more`] : [];
  return [`${paint.bad('not ok')}  ${safeText(said)}`, ...told, ...more];
}
