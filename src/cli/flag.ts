/** One flag: its name in every place where it can be set, and how its text becomes a setting. */
import { CrawlError, type ErrorCode } from '../base/errors.ts';
import type { Kind } from './kind.ts';
import { safeText } from './safe-text.ts';
import type { Settings, SettingsDraft } from './settings.ts';

export const FLAG_GROUPS = ['what', 'scope', 'politeness', 'rendering', 'content', 'output', 'operation'] as const;
type FlagGroup = (typeof FLAG_GROUPS)[number];

export interface Flag {
  /** Without dashes: `page-timeout`, `no-robots`; also its key in a config file. */
  readonly name: string;
  /** One letter, or null. */
  readonly short: string | null;
  /** As the help shows it: `<dur>`; null for a switch. */
  readonly argument: string | null;
  readonly group: FlagGroup;
  readonly option: keyof Settings;
  readonly isSwitch: boolean;
  readonly repeats: boolean;
  readonly kind: Kind<unknown>;
  /** What holds where nothing is given, with its unit; null where that is "nothing". */
  readonly defaultWords: string | null;
  /** One sentence without the default. */
  readonly help: string;
  /** Commands that take it. */
  readonly commands: readonly FlagCommand[];
  /** Names in the environment, the first one preferred; none for what names the config file itself. */
  readonly variables: readonly string[];
  /**
   * Reads the texts and sets the option.
   * @throws {CrawlError} USAGE (CONFIG_INVALID for a config file) that names place, value and what is accepted
   */
  set(draft: SettingsDraft, texts: readonly string[], place: Place): void;
}

export type FlagCommand = 'crawl' | 'resume';

/** Where a text was given, for messages: `--delay`, `ORBWEAVER_DELAY`, `orbweaver.yaml: delay`. */
interface Place {
  readonly name: string;
  readonly code: Extract<ErrorCode, 'USAGE' | 'CONFIG_INVALID'>;
}

interface FlagRow<Key extends keyof Settings> {
  readonly name: string;
  readonly short?: string;
  readonly argument?: string;
  readonly group: FlagGroup;
  readonly option: Key;
  readonly kind: Kind<NonNullable<Settings[Key]>>;
  readonly defaultWords?: string;
  readonly help: string;
  /** Also a flag of `resume`: it says how to run and when to end, not what to crawl. */
  readonly alsoResume?: boolean;
  /** Replaces `ORBWEAVER_<FLAG>`. */
  readonly variables?: readonly string[];
}

/** Completes a row of the table. */
export function flag<Key extends keyof Settings>(row: FlagRow<Key>): Flag {
  return {
    name: row.name,
    short: row.short ?? null,
    argument: row.argument ?? null,
    group: row.group,
    option: row.option,
    isSwitch: row.kind.isSwitch,
    repeats: row.kind.repeats,
    kind: row.kind,
    defaultWords: row.defaultWords ?? null,
    help: row.help,
    commands: row.alsoResume === true ? ['crawl', 'resume'] : ['crawl'],
    variables: row.variables ?? [`ORBWEAVER_${row.name.toUpperCase().replaceAll('-', '_')}`],
    set: (draft, texts, place) => {
      const reading = row.kind.read(texts);
      if (reading.kind === 'refused') throw refusal(row.kind, row.name, reading, place);
      draft[row.option] = reading.value;
    },
  };
}

function refusal(
  kind: Kind<unknown>,
  name: string,
  reading: { readonly text: string; readonly why?: string },
  place: Place,
): CrawlError {
  const shown = kind.secret ? 'the value given' : JSON.stringify(safeText(reading.text).slice(0, 200));
  const why = reading.why === undefined ? '' : ` (${reading.why})`;
  return new CrawlError(place.code, `${place.name}: ${shown} is not accepted${why}.\nAccepted: ${kind.accepts}.`, {
    data: { flag: `--${name}` },
  });
}
