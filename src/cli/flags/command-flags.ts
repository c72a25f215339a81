/** Flags of the table as options of commander, and back. */
import { Option, type Command } from 'commander';
import { CrawlError } from '../../base/errors.ts';
import { flagSentence } from './flag-help.ts';
import type { Flag } from './flag.ts';
import type { GivenFlags } from './gather.ts';

/** Adds the flags to a command, in their groups. */
export function addFlags(command: Command, flags: readonly Flag[]): void {
  // the sentences name the defaults themselves
  command.configureHelp({ ...command.configureHelp(), optionDescription: ({ description }) => description });
  const written = new Set(flags.flatMap(({ name, short }) => [`--${name}`, `-${short}`]));
  for (const flag of flags) {
    const option = new Option(flag.usage, flagSentence(flag)).helpGroup(groupTitle(flag));
    if (!flag.type.isSwitch)
      option.argParser((text: string, before: unknown) => {
        if (written.has(text)) throw lacksValue(flag, text);
        return [...textsIn(before), valueOf(flag, text)];
      });
    if (option.optional) option.preset(''); // given without its argument
    command.addOption(option);
  }
}

/** Commander takes the next word for the value, whatever it is: `--allow-private -o out` would crawl `out`. */
function lacksValue({ name, type }: Flag, next: string): CrawlError {
  return new CrawlError('USAGE', `--${name}: a value is missing before ${next}.\nAccepted: ${type.accepts}.`);
}

/**
 * Commander takes all behind a letter for the value: `-o=out` would be the folder `=out`.
 * @throws {CrawlError} USAGE, without the value, which may be a secret
 */
function valueOf({ name, short, usage }: Flag, text: string): string {
  if (short === null || !text.startsWith('=')) return text;
  const [value = ''] = /<.*>/.exec(usage) ?? [];
  const cure = `Write -${short} ${value}, or --${name}=${value}.`;
  throw new CrawlError('USAGE', `behind -${short} stands its value, without =\n${cure}`);
}

/** The texts that the command line held. */
export function givenFlags(command: Command, flags: readonly Flag[]): GivenFlags {
  const given = new Map<string, readonly string[]>();
  for (const flag of flags) {
    const key = new Option(flag.usage).attributeName();
    if (command.getOptionValueSource(key) !== 'cli') continue;
    const value: unknown = command.getOptionValue(key);
    // `--no-x` may stand beside `--x`: the last one counts, and is false where it is `--no-x`
    if (flag.name.startsWith('no-') !== (value === false)) continue;
    given.set(flag.name, flag.type.isSwitch ? ['true'] : textsIn(value));
  }
  return given;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function groupTitle({ group }: Flag): string {
  return `${group[0]?.toUpperCase() ?? ''}${group.slice(1)}:`;
}
