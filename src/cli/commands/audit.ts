/** `orbweaver audit <target…>` */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { auditRun } from '../audit/audit-run.ts';
import { addFlags, givenFlags } from '../flags/command-flags.ts';
import type { ExitCode } from '../exit-code.ts';
import { flagsOf } from '../flags/flag-lookup.ts';
import { gatherSettings } from '../flags/gather.ts';
import { callOf, type Shell } from '../shell.ts';
import { crawl } from './crawl.ts';

/** Flags of a crawl that an audit of a crawl folder heeds as well. */
const OF_AUDITS: ReadonlySet<string> = new Set(['extension', 'proxy', 'allow-private', 'axe', 'measure']);

const afterHelp = (call: string): string => `
Examples:
  ${call} orbweaver-example.org-20260102-030405
  ${call} https://example.org/ --limit 500
  ${call} ./dist --rules broken-link,broken-fragment`;

/** @param finish called with the exit code */
export function auditCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const flags = [
    ...flagsOf('crawl').filter(({ name, group }) => name !== 'audit' && group !== 'judgement'),
    ...flagsOf('audit'),
  ];
  const command = new Command('audit')
    .summary('judge a site, a folder or a crawl folder: what was looked at, and what was found')
    .description(
      'Audits a crawl: which pages were judged, and what is wrong with them. Writes findings.jsonl. A crawl folder is audited as it is; anything else is crawled first, with the flags of crawl.',
    )
    .argument('[targets...]', 'a crawl folder; or http(s) URLs or folders of sites, which are crawled first')
    .addHelpText('after', afterHelp(callOf('audit', shell)));
  addFlags(command, flags);
  return command.action(async (targets: string[]) => {
    const given = givenFlags(command, flags);
    const settings = gatherSettings(given, shell.variables, flags, shell.workingFolder);
    const folder = await crawlFolderAmong(targets, shell.workingFolder);
    if (folder === null) {
      finish(await crawl(targets, settings, shell, true));
      return;
    }
    const crawling = flags.find(({ name, group }) => given.has(name) && group !== 'judgement' && !OF_AUDITS.has(name));
    if (crawling !== undefined) {
      throw new CrawlError(
        'USAGE',
        `--${crawling.name} is a flag of a crawl, and ${folder} is one that was made already\nLeave the flag out, or give the site in place of the folder.`,
      );
    }
    finish(await (await auditRun(settings, shell, { external: 'check', folder }))(folder));
  });
}

/** The crawl folder among the targets, absolute; null where there is none. @throws {CrawlError} USAGE where it is not alone */
async function crawlFolderAmong(targets: readonly string[], from: string): Promise<string | null> {
  for (const target of targets) {
    if (/^https?:/i.test(target)) continue;
    const folder = resolve(from, target);
    const isCrawl = await access(join(folder, 'crawl.json')).then(
      () => true,
      () => false,
    );
    if (!isCrawl) continue;
    if (targets.length === 1) return folder;
    throw new CrawlError(
      'USAGE',
      `${target} is a crawl folder, which is audited alone\nGive it without the other targets.`,
    );
  }
  return null;
}
