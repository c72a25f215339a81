/**
 * Text of pages and servers on its way into a report: bounded, one line, and with nothing in it that would show it as another one.
 * Reports are sent around as logs are, so that tokens in URLs are hidden; the JSON report has whole texts.
 */
import { cutText } from '../base/cut-text.ts';
import { redactedText } from '../base/redaction.ts';

/** Longer texts are cut: pages name themselves with megabytes (arbitrary). */
const MOST_SHOWN = 600;

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Control, format (directions, zero width, tags), halves of surrogate pairs, and what XML 1.0 knows no characters for. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/gu;

/** @param most characters, 2 or more; what is longer ends in `…` */
export function shownText(text: string, most: number = MOST_SHOWN): string {
  const beginning = text.length > most ? `${cutText(text, most - 1)}…` : text;
  return redactedText(beginning.replace(BREAKS, ' ').replace(UNSAFE, ''));
}
