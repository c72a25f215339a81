/** A comparison as the command line makes it: of two existing folders, or of a crawl that has just ended with an earlier one. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { diffCrawls, diffRules, checkDiff } from '../../compare/diff-crawls.ts';
import { isWriteRefused } from '../../crawl-folder/disk-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { concludeAudit, readJudgement } from '../audit/conclude-audit.ts';
import type { Settings } from '../flags/settings.ts';
import type { Shell } from '../shell.ts';

/** Without gates any difference fails, as it does with diff(1). */
const ANY = ['notice'];

/**
 * Checks the settings, before anything is fetched.
 * @param old as it was typed
 * @returns a function that compares a folder with the old one, prints the result and gives the exit code
 * @throws {CrawlError} USAGE, CRAWL_UNREADABLE, BASELINE_INVALID
 */
export async function diffRun(
  old: string,
  settings: Settings,
  shell: Shell,
): Promise<(folder: string) => Promise<ExitCode>> {
  const { map = [], reporters, minPages, minCoverage, pictureThreshold, pictureRegion } = settings;
  const before = resolve(shell.workingFolder, old);
  await refuseItself(before, old, settings, shell);
  const judgement = {
    failOn: settings.failOn?.flatMap(gateText) ?? ANY,
    ...{ reporters, minPages, minCoverage },
  };
  await checkDiff(before, map);
  const { outputs } = await readJudgement(judgement, diffRules(), shell);
  const options = {
    map,
    ...(pictureThreshold === undefined ? {} : { pictureThreshold }),
    ...(pictureRegion === undefined ? {} : { pictureRegion }),
    drawPictures: outputs.some(({ name }) => name === 'html'), // the HTML page shows them
  };
  const rules = diffRules();
  const compared = (folder: string): ReturnType<typeof diffCrawls> =>
    diffCrawls(before, folder, options).catch((error: unknown) => {
      // the usual report is not written there either
      if (reporters !== undefined || !isWriteRefused(error)) throw error;
      return diffCrawls(before, folder, { ...options, drawPictures: false });
    });
  return async (folder) => concludeAudit(await compared(folder), judgement, shell, { rules });
}

/** @throws {CrawlError} USAGE where the crawl to come would take the place of the old one, and be compared with itself */
async function refuseItself(
  before: string,
  old: string,
  { output }: Settings,
  { workingFolder }: Shell,
): Promise<void> {
  if (output === undefined) return;
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  if ((await real(before)) !== (await real(resolve(workingFolder, output)))) return;
  throw new CrawlError(
    'USAGE',
    `--against: ${old} is the folder that the crawl is written to, and it would be compared with itself\n` +
      'Write the crawl to another folder with --output, or keep what is there as a baseline: orbweaver approve.',
  );
}

/** `changed:text` is the rule changed-text, and `removed-page:0` accepts none. */
function gateText(text: string): readonly string[] {
  return text.split(/,(?! )/).map((gate) =>
    gate
      .trim()
      .replace(/^([a-z]+):(?=[a-z])/, '$1-')
      .replace(/:0$/, ''),
  );
}
