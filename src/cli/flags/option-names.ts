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

/** The same error with the flag's name in place of the option's. */
export function inFlagWords(error: unknown): unknown {
  if (!(error instanceof CrawlError)) return error;
  const option = error.data['option'];
  const flag = typeof option === 'string' ? flagOfOption(option) : null;
  if (flag === null) return error;
  const word = `\nThe flag is --${flag.name}.`;
  if (error.message.endsWith(word)) return error; // an earlier check has said it
  if (!error.message.startsWith(`${flag.option}: `)) {
    return new CrawlError(error.code, error.message + word, {
      cause: error,
      data: error.data,
    });
  }
  const complaint = error.message.slice(flag.option.length);
  const message = missingPartner(complaint, error.data['needs']) ?? `${complaint}\nAccepted: ${flag.type.accepts}.`;
  return new CrawlError(error.code, `--${flag.name}${message}`, {
    cause: error,
    data: error.data,
  });
}

/** The complaint's first line and the flag to add, where the value is right and another option is missing. */
function missingPartner(complaint: string, needs: unknown): string | null {
  const partner = typeof needs === 'string' ? flagOfOption(needs) : null;
  if (partner === null) return null;
  return `${complaint.split('\n', 1)[0] ?? ''}\nAdd ${partner.usage}.`;
}
