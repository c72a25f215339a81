/** Settings from everywhere, in order of rank: flag, environment, config file, default. */
import { resolve } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { readConfigFile } from './config-file.ts';
import { credentials, refuseShownCredentials } from './credentials.ts';
import { readEnvironment, type Variables } from './environment.ts';
import type { Flag } from './flag.ts';
import { mergeSettings, type Settings, type SettingsDraft } from './settings.ts';

/** The texts of each flag that the command line holds, by name, in order. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

/**
 * Puts flags over environment over config file. A list of higher rank replaces the list of lower rank.
 * @param from the folder that relative paths start from
 * @throws {CrawlError} USAGE, CONFIG_INVALID
 */
export function gatherSettings(
  given: GivenFlags,
  variables: Variables,
  flags: readonly Flag[],
  from: string,
): Settings {
  const typed: SettingsDraft = {};
  for (const flag of flags) {
    const texts = given.get(flag.name);
    if (texts !== undefined) flag.set(typed, texts, { name: `--${flag.name}`, code: 'USAGE' });
  }
  const above = mergeSettings(readEnvironment(variables, flags), typed);
  const below = above.config === undefined ? {} : readConfigFile(resolve(from, above.config), above.config, flags);
  for (const shown of [typed, below]) refuseShownCredentials(shown, flags);
  const settings = mergeSettings(below, above, credentials(mergeSettings(below, above), variables, flags));
  refuseConflicts(settings);
  return settings;
}

/** @throws {CrawlError} USAGE where two settings exclude each other or one needs another */
function refuseConflicts(settings: Settings): void {
  const { resume, overwrite, quiet, verbose, fullPage, snapshot, output, logJson, json, dryRun } = settings;
  if (resume === true && overwrite === true)
    throw conflict('--resume and --overwrite exclude each other', 'one of them');
  if (quiet === true && verbose === true) throw conflict('--quiet and --verbose exclude each other', 'one of them');
  if (quiet === true && logJson === true) throw conflict('--quiet and --log-json exclude each other', 'one of them');
  if (json === true && dryRun !== true)
    throw conflict(
      '--json has no effect without --dry-run',
      '--dry-run too; an audit is printed as JSON by --reporter json=-',
    );
  if (resume === true && output === undefined)
    throw conflict('--resume needs the folder to go on with', '--output <folder> too, or `resume <folder>`');
  if (fullPage === true && snapshot?.includes('screenshot') !== true) {
    throw conflict('--full-page has no effect without screenshots', '--snapshot html,text,screenshot too');
  }
}

function conflict(what: string, cure: string): CrawlError {
  return new CrawlError('USAGE', `${what}.\nGive ${cure}.`);
}
