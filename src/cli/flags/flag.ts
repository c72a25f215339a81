/** One flag: its name in every place where it can be set, and how its text becomes a setting. */
import { CrawlError, type ErrorCode } from '../../base/errors.ts';
import type { OptionGroup, OptionRow } from '../../options/option-row.ts';
import type { ValueType } from '../../options/value-type.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { SettingsDraft } from './settings.ts';

export interface Flag {
  /** Without dashes: `page-timeout`, `no-robots`; also its key in a config file. */
  readonly name: string;
  /** One letter, or null. */
  readonly short: string | null;
  /** As it is typed: `-d, --depth <n>`. */
  readonly usage: string;
  readonly group: OptionGroup;
  /** The setting that it sets. */
  readonly option: string;
  readonly type: ValueType<unknown>;
  /** The value where none is given, with its unit; null where that is "nothing". */
  readonly defaultWords: string | null;
  /** One sentence without the default. */
  readonly help: string;
  /** Commands that take it. */
  readonly commands: readonly FlagCommand[];
  /** Names in the environment, the first one preferred. */
  readonly variables: readonly string[];
  readonly inConfigFile: boolean;
  /** The variable that holds a user and a password for its value; null where it takes none. */
  readonly credentialVariable: string | null;
  /**
   * Reads the texts and sets the option.
   * @throws {CrawlError} USAGE (CONFIG_INVALID for a config file) that names place, value and what is accepted
   */
  set(draft: SettingsDraft, texts: readonly string[], place: Place): void;
}

export type FlagCommand = 'crawl' | 'resume' | 'audit' | 'diff';

/** The place of a text, for messages: `--delay`, `ORBWEAVER_DELAY`, `orbweaver.yaml: delay`. */
interface Place {
  readonly name: string;
  readonly code: Extract<ErrorCode, 'USAGE' | 'CONFIG_INVALID'>;
}

/** `-d, --depth <n>`: letter and name. */
const USAGE = /^(?:-(\w), )?--([a-z-]+)/;

/** The flag of a row. @param option the key of the row */
export function flagOf(option: string, row: OptionRow<unknown>): Flag {
  const [, short = null, name = ''] = USAGE.exec(row.flag) ?? [];
  const { type } = row;
  return {
    name,
    short,
    usage: row.flag,
    group: row.group,
    option,
    type,
    defaultWords: row.otherwise ?? (row.default === undefined ? null : type.show(row.default)),
    help: row.help,
    commands: commandsOf(row),
    variables: row.variables ?? [`ORBWEAVER_${name.toUpperCase().replaceAll('-', '_')}`],
    inConfigFile: row.notInConfigFile !== true,
    credentialVariable: row.credentialVariable ?? null,
    set: (draft, texts, place) => {
      const reading = type.read(texts);
      if (reading.kind === 'refused') throw refusal(type, name, reading, place);
      draft[option] = reading.value;
    },
  };
}

/** Flags of judgement are for a finished crawl, and change nothing in making one; crawls that are judged at once take some of them, too. */
function commandsOf({ group, alsoResume, commands }: OptionRow<unknown>): readonly FlagCommand[] {
  if (commands !== undefined) return commands;
  if (group === 'judgement') return alsoResume === true ? ['crawl', 'resume', 'audit'] : ['audit'];
  return alsoResume === true ? ['crawl', 'resume'] : ['crawl'];
}

function refusal(
  type: ValueType<unknown>,
  name: string,
  reading: { readonly text: string; readonly why?: string },
  place: Place,
): CrawlError {
  const shown = type.secret ? 'the value given' : JSON.stringify(safeText(reading.text).slice(0, 200));
  const why = reading.why === undefined ? '' : ` (${reading.why})`;
  return new CrawlError(place.code, `${place.name}: ${shown} is not accepted${why}.\nAccepted: ${type.accepts}.`, {
    data: { flag: `--${name}` },
  });
}
