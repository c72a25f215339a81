/** `orbweaver diff <old> <new>` */
import { Command } from 'commander';
import { diffRun } from '../diff/diff-run.ts';
import { learnNoise } from '../diff/learn-noise.ts';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import type { ExitCode } from '../exit-code.ts';
import { flagsOf } from '../flags/flag-lookup.ts';
import { folderArgument } from '../folder-argument.ts';
import { gatherSettings } from '../flags/gather.ts';
import { callOf, type Shell } from '../shell.ts';

const afterHelp = (call: string): string => `
Examples:
  ${call} orbweaver-example.org-20260102-030405 orbweaver-example.org-20260109-030405
  ${call} baseline new --fail-on removed-page,changed:text --reporter list,junit=diff.xml`;

/** @param finish called with the exit code */
export function diffCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = flagsOf('diff');
  const command = new Command('diff')
    .summary('what changed between two crawls: pages, texts, links, titles, findings')
    .description(
      'Compares two crawls: which pages came, went, moved and changed, and in what. ' +
        'The exit code is 1 where anything differs; with --fail-on where that does.',
    )
    .argument('<old>', 'a crawl folder, or a baseline (orbweaver approve)')
    .argument('<new>', 'a crawl folder')
    .addHelpText('after', afterHelp(callOf('diff', shell)));
  addFlags(command, flags);
  return command.action(async (old: string, now: string) => {
    const settings = gatherSettings(givenFlags(command, flags), shell.variables, flags, shell.workingFolder);
    const before = await folderArgument(shell, 'diff', { folder: old });
    const folder = await folderArgument(shell, 'diff', { folder: now });
    if (settings.learnNoise === true) finish(await learnNoise(before, folder, shell));
    else finish(await (await diffRun(old, settings, shell))(folder));
  });
}
