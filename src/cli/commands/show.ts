/** `orbweaver show <folder> <url>` */
import { Command, Option } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { PAGE_PARTS, showPage, type PagePart, type ShownPage } from '../../inspect/show-page.ts';
import type { ExitCode } from '../exit-code.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import { folderArgument } from '../folder-argument.ts';
import { callOf, nearPath, quoted, type Shell } from '../shell.ts';
import { paintFor } from '../terminal/terminal.ts';

const MEANING: Readonly<Record<PagePart, string>> = {
  text: 'Prints the text that a reader sees.',
  html: 'Prints the HTML as it was when the page had settled.',
  screenshot:
    'Prints the screenshot (JPEG; PNG of a deterministic crawl) into a file or a pipe; on a terminal, says where it lies.',
  headers: 'Prints the headers of the answer as they were received; they are kept with --snapshot warc.',
};

/** @param finish called with the exit code */
export function showCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('show', shell);
  const command = new Command('show')
    .summary('print one stored page: its text, HTML, screenshot or headers')
    .description('Prints what a crawl has stored of one page: its text, or its HTML where no text was kept.')
    .argument('<folder>', 'the crawl folder')
    .argument('<url>', "an http(s) URL, or a path on the first seed's host");
  for (const part of PAGE_PARTS) {
    command.addOption(new Option(`--${part}`, MEANING[part]).conflicts(PAGE_PARTS.filter((other) => other !== part)));
  }
  return command
    .addHelpText('after', `\nExample:\n  ${call} orbweaver-example.org-20260102-030405 /about --html > about.html`)
    .action(async (folder: string, url: string, given: Readonly<Partial<Record<PagePart, true>>>) => {
      const path = await folderArgument(shell, 'show', { folder, url });
      const part = PAGE_PARTS.find((each) => given[each] === true) ?? null;
      const page = await showPage(path, url, part);
      const paint = paintFor(shell.errors, shell.variables);
      for (const note of page.notes) shell.errors.write(`${paint.notable('note')}  ${safeText(note)}\n`);
      print(page, shell, [call, folder, url].map(quoted).join(' '));
      finish(0);
    });
}

/** Prints without control characters for a terminal, which would obey them; byte by byte to a file or a program. */
function print(page: ShownPage, shell: Shell, call: string): void {
  const { output } = shell;
  if (page.part === 'screenshot' && output.isTTY === true) {
    if (page.file === null) {
      throw new CrawlError('USAGE', `a screenshot is no text for a terminal\nSave it: ${call} --screenshot > page.jpg`);
    }
    const file = nearPath(page.file, shell.workingFolder);
    output.write(`${safeText(file)}\n`);
    shell.errors.write(`a copy of it: ${call} --screenshot > page.jpg\n`);
    return;
  }
  if (output.isTTY !== true) {
    output.write(page.content);
    return;
  }
  const text = safeLines(Buffer.from(page.content).toString('utf8'));
  output.write(text.endsWith('\n') ? text : `${text}\n`);
}
