/** Settings from `ORBWEAVER_<FLAG>`. Nothing else of the program reads the environment. */
import { CrawlError } from '../../base/errors.ts';
import type { Flag } from './flag.ts';
import { flagNameMeantBy } from './other-names.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Settings, SettingsDraft } from './settings.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of the environment. An empty variable counts as not set (container files pass them so); several values
 * stand on lines of their own.
 * @throws {CrawlError} USAGE that names the variable, its value and what is accepted
 */
export function readEnvironment(variables: Variables, flags: readonly Flag[]): Settings {
  const draft: SettingsDraft = {};
  for (const flag of flags) {
    const name = flag.variables.find((each) => isSet(variables[each]));
    const value = name === undefined ? undefined : variables[name];
    if (name === undefined || value === undefined) continue;
    flag.set(draft, textsOf(value, flag, name), { name, code: 'USAGE' });
  }
  return draft;
}

/** Variables that no flag of the table reads: `worker` has this one. */
const OTHERS: readonly string[] = ['ORBWEAVER_CRAWL'];

/** A sentence for each variable that looks like ours and sets nothing. @param flags of all commands */
export function strangeVariables(variables: Variables, flags: readonly Flag[]): readonly string[] {
  const ofFlags = flags.flatMap(({ variables: own, credentialVariable }) => [
    ...own,
    ...(credentialVariable === null ? [] : [credentialVariable]),
  ]);
  const known = [...ofFlags, ...OTHERS];
  const names = known.map(nameIn);
  return Object.keys(variables)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && isSet(variables[name]))
    .map((name) => {
      const meant = flagNameMeantBy(nameIn(name), names);
      const similar = known.find((each) => nameIn(each) === meant);
      return `${safeText(name)} sets nothing${similar === undefined ? '' : `; did you mean ${similar}?`}`;
    });
}

const PREFIX = 'ORBWEAVER_';

/** The flag that a variable of ours is named after. */
function nameIn(variable: string): string {
  return variable.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
}

/** Names that npm has a setting of its own for; their values are no sign of a lost flag. */
const ALSO_OF_NPM: readonly string[] = [
  'scope',
  'depth',
  'include',
  'browser',
  'user-agent',
  'no-progress',
  'audit',
  'proxy',
];

/**
 * Flags that npm took for its own: `npm run crawl <url> --delay 5s` lacks a `--`, and npm passes on the value alone.
 * A crawl without its --delay or --dry-run would be another one than was asked for.
 */
export function flagsKeptByNpm(variables: Variables, flags: readonly Flag[]): readonly string[] {
  if (variables['npm_lifecycle_event'] === undefined) return [];
  return flags
    .map(({ name }) => name)
    .filter((name) => !ALSO_OF_NPM.includes(name))
    .filter((name) => variables[`npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`] !== undefined);
}

const YES: readonly string[] = ['true', '1', 'yes', 'on'];
const NO: readonly string[] = ['false', '0', 'no', 'off'];

function textsOf(value: string, flag: Flag, name: string): readonly string[] {
  if (flag.type.isSwitch) return [switchText(value, name)];
  // files of variables may have the line ends of Windows, and a regular expression that ends in one matches nothing
  return flag.type.repeats ? value.split(/\r?\n|\r$/).filter((line) => line.trim() !== '') : [value];
}

function switchText(value: string, name: string): string {
  const word = value.trim().toLowerCase();
  if (YES.includes(word)) return 'true';
  if (NO.includes(word)) return 'false';
  const shown = JSON.stringify(safeText(value).slice(0, 200));
  throw new CrawlError('USAGE', `${name}: ${shown} is not accepted.\nAccepted: ${[...YES, ...NO].join(', ')}.`);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}
