/**
 * Makes text of pages and servers safe for a report: bounded, one line, and without characters that would show it as another text.
 * Reports are sent around as logs are, so that tokens in URLs are hidden; the JSON report has whole texts.
 */
import { cutText } from '../base/cut-text.ts';
import { redactedText } from '../base/redaction.ts';
import { withoutCommands } from '../base/runner-commands.ts';

/** Longer texts are cut: pages name themselves with megabytes (arbitrary). */
const MOST_SHOWN = 600;

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Control, format (directions, zero width, tags), halves of surrogate pairs, and code points that are no characters of XML 1.0. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/gu;

/** @param most characters, 2 or more; longer text ends in `…` */
export function shownText(text: string, most: number = MOST_SHOWN): string {
  const beginning = text.length > most ? `${cutText(text, most - 1)}…` : text;
  return redactedText(withoutCommands(beginning.replace(BREAKS, ' ').replace(UNSAFE, '')));
}
