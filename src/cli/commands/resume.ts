/** `orbweaver resume <folder>` */
import { Command } from 'commander';
import { auditRun } from '../audit/audit-run.ts';
import { isAudited } from '../audit/remembered-audit.ts';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import { strangeVariables } from '../flags/environment.ts';
import type { ExitCode } from '../exit-code.ts';
import { flagsOf } from '../flags/flag-lookup.ts';
import { FLAGS } from '../flags/flags.ts';
import { gatherSettings } from '../flags/gather.ts';
import { folderArgument } from '../folder-argument.ts';
import { launchCrawl } from '../launch.ts';
import { crawlInput } from '../flags/settings.ts';
import type { Shell } from '../shell.ts';

/** @param finish called with the exit code */
export function resumeCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = flagsOf('resume');
  const command = new Command('resume')
    .summary('go on with a crawl that was interrupted')
    .description('Goes on with a crawl that was interrupted. What to crawl, and how, stands in its folder.')
    .argument('<folder>', 'the crawl folder');
  addFlags(command, flags);
  return command.action(async (folder: string) => {
    const from = shell.workingFolder;
    const settings = gatherSettings(givenFlags(command, flags), shell.variables, flags, from);
    const path = await folderArgument(shell, 'resume', { folder });
    const audits = settings.audit === true || (await isAudited(path));
    const engine = await shell.engine();
    const target = { external: 'none', folder: path, goesOn: true } as const;
    const code = await launchCrawl({
      shell,
      engine,
      settings,
      notes: [...strangeVariables(shell.variables, FLAGS), ...(settings.standby === true ? [STANDING_BY] : [])],
      audit: audits ? { alone: false, run: await auditRun(settings, shell, target) } : null,
      start: (extras, environment) => engine.resumeCrawl(path, { ...crawlInput(settings), ...extras }, environment),
    });
    finish(code);
  });
}

const STANDING_BY = 'standing by: goes on with the crawl when the process that leads it has died';
