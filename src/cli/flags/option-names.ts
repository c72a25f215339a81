/** Names flags in messages of the options' own check, which knows only options. */
import { CrawlError } from '../../base/errors.ts';
import { parseOptions, type CrawlOptions } from '../../options/options.ts';
import { flagOfOption } from './flag-lookup.ts';

/**
 * Checks options before anything is started.
 * @throws {CrawlError} USAGE that names the flag
 */
export function checkOptions(options: CrawlOptions): void {
  try {
    parseOptions(options);
  } catch (error) {
    throw inFlagWords(error);
  }
}

/** The same error with the names of flags in place of those of options. */
export function inFlagWords(error: unknown): unknown {
  if (!(error instanceof CrawlError)) return error;
  const option = error.data['option'];
  const flag = typeof option === 'string' ? flagOfOption(option) : null;
  if (flag === null) return error;
  const named = `--${flag.name}`;
  if (error.message.startsWith(`${named}: `) || error.message.endsWith(`\nThe flag is ${named}.`)) return error; // an earlier check has said it
  const { data } = error;
  if (!error.message.startsWith(`${flag.option}: `)) {
    const words = withFlagNames(error.message);
    const message = words.includes(named) ? words : `${words}\nThe flag is ${named}.`;
    return new CrawlError(error.code, message, { cause: error, data });
  }
  const complaint = error.message.slice(flag.option.length);
  const message = missingPartner(complaint, data['needs']) ?? `${complaint}\nAccepted: ${flag.type.accepts}.`;
  return new CrawlError(error.code, named + message, { cause: error, data });
}

/** The text with `keepState` as --keep-state. Options of one word stay: they are words of the language, too. */
function withFlagNames(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (word) => {
    const flag = flagOfOption(word);
    return flag === null ? word : `--${flag.name}`;
  });
}

/** The complaint's first line and the flag to add, where the value is right and another option is missing. */
function missingPartner(complaint: string, needs: unknown): string | null {
  const partner = typeof needs === 'string' ? flagOfOption(needs) : null;
  if (partner === null) return null;
  return `${complaint.split('\n', 1)[0] ?? ''}\nAdd ${partner.usage}.`;
}
