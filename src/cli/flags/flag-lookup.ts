/** Finds flags of the table. */
import type { Flag, FlagCommand } from './flag.ts';
import { FLAGS } from './flags.ts';

/** Flags of a command, in the order of the table. */
export function flagsOf(command: FlagCommand): readonly Flag[] {
  return FLAGS.filter((each) => each.commands.includes(command));
}

/** The flag that sets an option of the crawl; null for options that only arguments set (`seeds`). */
export function flagOfOption(option: string): Flag | null {
  return FLAGS.find((each) => each.option === option) ?? null;
}
