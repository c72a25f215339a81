/** Settings of the command line alone, rows as those of options/options.ts: more places for seeds, and the terminal's display. */
import { rowsOf, type OptionRow } from '../../options/option-row.ts';
import { path, pathOrStandardInput, texts } from '../../options/text-type.ts';
import { switchTo } from '../../options/value-type.ts';

const what = rowsOf('what');
const { option } = rowsOf('operation');

export const TERMINAL_OPTIONS = {
  /** Seeds that are given by flag. */
  urls: what.option({
    type: texts({ accepts: 'an http(s) URL or a folder', pattern: /\S/ }),
    flag: '--url <url>',
    help: 'Another seed, as an argument would be; may be given several times.',
  }) as OptionRow<readonly string[]>,
  /** File with a seed on each line; `-` is standard input. */
  urlList: what.option({
    type: pathOrStandardInput('a file with one seed on each line, or - for standard input'),
    flag: '--url-list <file>',
    help: 'Takes a seed from each line of a file, or of standard input (-); lines that begin with # are left out.',
  }) as OptionRow<string>,
  config: option({
    type: path('the path of a YAML or JSON file'),
    flag: '-c, --config <file>',
    help: "Reads flags from a YAML or JSON file, under the flags' names without dashes.",
    notInConfigFile: true,
  }) as OptionRow<string>,
  progress: option({
    type: switchTo(false),
    flag: '--no-progress',
    help: 'Shows no progress line; failures and the summary stay.',
    alsoResume: true,
  }) as OptionRow<boolean>,
  quiet: option({
    type: switchTo(true),
    flag: '-q, --quiet',
    help: 'Shows errors only, and no summary.',
    alsoResume: true,
  }) as OptionRow<boolean>,
  verbose: option({
    type: switchTo(true),
    flag: '-v, --verbose',
    help: 'Shows a line for each page.',
    alsoResume: true,
  }) as OptionRow<boolean>,
  logJson: option({
    type: switchTo(true),
    flag: '--log-json',
    help: 'Writes the log to standard error, too, one JSON object on each line, in place of the progress line.',
    alsoResume: true,
  }) as OptionRow<boolean>,
  /** The forecast as one JSON object. */
  json: option({
    type: switchTo(true),
    flag: '--json',
    help: 'Prints the forecast of --dry-run as one JSON object.',
  }) as OptionRow<boolean>,
};
