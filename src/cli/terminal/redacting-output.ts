/** Outputs that hide secrets in written texts (base/redaction.ts). */
import { redactedText, redactor } from '../../base/redaction.ts';
import type { Shell } from '../shell.ts';
import type { Output } from './terminal.ts';

/** An output whose texts go through `hide`; bytes stay as they are. Each text is a line or more: a secret cut in two is not found. */
export function redactingOutput(output: Output, hide: (text: string) => string = redactedText): Output {
  return {
    write: (text) => output.write(typeof text === 'string' ? hide(text) : text),
    get isTTY() {
      return output.isTTY === true;
    },
    get columns() {
      return output.columns ?? 0;
    },
  };
}

/** The output of an answer in words: a terminal gets no secrets; a file or a program gets the whole URLs that it was asked for. */
export function readersOutput(output: Output): Output {
  return output.isTTY === true ? redactingOutput(output) : output;
}

/** The shell of a running crawl: neither of its outputs repeats a token, or one of the secrets. */
export function secretiveShell(shell: Shell, secrets: readonly string[]): Shell {
  const hide = redactor(secrets);
  return {
    ...sameShell(shell),
    output: redactingOutput(shell.output, hide),
    errors: redactingOutput(shell.errors, hide),
  };
}

/** The same shell, whose errors repeat no token. */
export function quietErrors(shell: Shell): Shell {
  return { ...sameShell(shell), output: shell.output, errors: redactingOutput(shell.errors) };
}

/** Copies parts by name: a shell may be an instance whose getters are not copied. */
function sameShell(shell: Shell): Omit<Shell, 'output' | 'errors'> {
  const { words, script, variables, workingFolder, input, signals, faults, clock, environment, engine } = shell;
  const exit: Shell['exit'] = (code) => shell.exit(code);
  return { words, script, variables, workingFolder, input, signals, faults, exit, clock, environment, engine };
}
