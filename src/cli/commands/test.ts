/** `orbweaver test <folder>` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import { testSite } from '../diff/test-site.ts';
import { callOf, type Shell } from '../shell.ts';

export interface TestFlags {
  readonly expected: string;
  readonly update?: boolean;
  readonly output?: string;
  readonly overwrite?: boolean;
  readonly reporter?: readonly string[];
}

/** @param finish called with the exit code */
export function testCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('test', shell);
  const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
  return new Command('test')
    .summary('crawl a site that lies beside its expected.json, and compare')
    .description(
      'Serves a folder, crawls it, and holds what was found against expected.json. Exit code 1 where that differs.',
    )
    .argument('<folder>', 'the site: pages, or site.json and www/, with an expected.json')
    .option('--expected <file>', 'What is expected, beside the site.', 'expected.json')
    .option(
      '--update',
      'Writes what was found as what is expected; options stay, and are to be reviewed with the rest.',
    )
    .option('-o, --output <folder>', 'Keeps the crawl in this folder.')
    .option('--overwrite', 'Replaces the crawl in that folder.')
    .option(
      '--reporter <names>',
      'How to report: list, json, html, junit, sarif, markdown, github; each may be name=file.',
      collect,
    )
    .addHelpText(
      'after',
      `\nExamples:\n  ${call} fixtures/shop\n  ${call} fixtures/shop --reporter list,junit=shop.xml`,
    )
    .action(async (folder: string, flags: TestFlags) => {
      finish(await testSite(resolve(shell.workingFolder, folder), flags, shell));
    });
}
