/**
 * Makes text of pages and servers safe for a terminal. A terminal obeys what it is sent: escape sequences move the cursor,
 * set titles or answer on standard input (CWE-150, CVE-2003-0020), and bidirectional controls show a URL as another one.
 */
import { withoutCommands } from '../../base/runner-commands.ts';

/**
 * Escape sequences (ECMA-48, sections 5.3 to 5.6): those with parameters, strings up to their end, and short ones. Node's own pattern
 * (util.stripVTControlCharacters) takes quadratic time: 11 s for 40 KB of `;#`. Here no piece can go over into the next.
 */
const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/gu;
/** White space that would break a line: becomes one blank. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Control (C0, DEL, C1), format (directions, zero width, tags), halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Most lines: nothing in them is replaced. */
const PLAIN = /^[ !"$-9;-~]*$/;

/** The text without anything that a terminal, or a runner of CI, would obey: one line, no escapes, no control of direction. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return withoutCommands(text.replace(ESCAPES, '').replace(BREAKS, ' ').replace(UNSAFE, ''));
}

/** As {@link safeText}, with its lines and tabs kept: a whole document on its way to a terminal. */
export function safeLines(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.split('\t').map(safeText).join('\t'))
    .join('\n');
}

/** The text, or its beginning and `…` where it is longer. @param width in characters, 1 or more */
export function cutForTerminal(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
