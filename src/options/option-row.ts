/**
 * One row of the table of settings (options.ts): its accepted values, and how it is set from outside. The command line makes flags,
 * help, names in the environment, keys of the config file and the table of docs/cli.md from it.
 */
import type { ValueType } from './value-type.ts';

/** Groups of the help, in its order. */
export const OPTION_GROUPS = [
  'what',
  'scope',
  'politeness',
  'rendering',
  'identity',
  'content',
  'output',
  'operation',
  'judgement',
] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

interface RowFields<Value> {
  readonly type: ValueType<Value>;
  /** As the help shows it: `-d, --depth <n>`. The long name is also its key in a config file. */
  readonly flag: string;
  /** One sentence without the default. */
  readonly help: string;
  /** The value where none is given, with its unit; needed only where `default` does not say it. */
  readonly otherwise?: string;
  /** A flag of `resume` too, and of `crawl` in any case: it sets how to run and when to end, not what to crawl. */
  readonly alsoResume?: true;
  /** The commands that have it, where its group does not decide that. */
  readonly commands?: readonly ('crawl' | 'resume' | 'audit' | 'diff')[];
  /** Replaces `ORBWEAVER_<FLAG>`. */
  readonly variables?: readonly string[];
  /** It names the config file, so that file cannot hold it. */
  readonly notInConfigFile?: true;
  /**
   * The variable that holds `user:password` for its value, a URL. Everybody on the machine sees arguments and files are copied, so
   * the URL itself may hold them only in the environment.
   */
  readonly credentialVariable?: string;
}

/** A setting that stays undefined where it is not given. */
export interface OptionRow<Value> extends RowFields<Value> {
  readonly group: OptionGroup;
  readonly default?: Value;
}

/** A setting that always has a value. */
export interface DefaultedRow<Value> extends OptionRow<Value> {
  readonly default: Value;
}

/** The value that a row sets. */
export type ValueOfRow<Row> = Row extends OptionRow<infer Value> ? Value : never;

/** Values that a caller may give: one for each row, or none. */
export type GivenValues<Table> = { readonly [Key in keyof Table]?: ValueOfRow<Table[Key]> | undefined };

interface RowMakers {
  option<Value>(fields: RowFields<Value>): OptionRow<Value>;
  defaulted<Value>(fields: RowFields<Value> & { readonly default: NoInfer<Value> }): DefaultedRow<Value>;
}

/** Makes the rows of one group. Tables name the type of each row again, for declarations are written without inference. */
export function rowsOf(group: OptionGroup): RowMakers {
  return { option: (fields) => ({ ...fields, group }), defaulted: (fields) => ({ ...fields, group }) };
}
