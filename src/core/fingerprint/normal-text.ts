/**
 * The text of a page for comparisons: NFKC, lower case, white space folded, and one token in
 * place of texts that change by themselves with time. Other digits stay: a price is content (design/duplicates-and-traps,
 * "What is compared").
 */

/** Placeholder for a date, a time or an age. A private-use character: it occurs in no page by chance. */
export const TIME_TOKEN = '\uE000';

/** A longer text is cut: a difference after this makes no other page. */
const TEXT_LENGTH_LIMIT = 10_000_000;

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const CLOCK =
  '\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?: ?[ap]\\.?m\\b\\.?)?(?: ?(?:utc|gmt|z\\b|[+-]\\d{2}:?\\d{2}\\b))?';
const DATE = [
  '\\d{4}-\\d{2}-\\d{2}',
  '\\d{4}/\\d{1,2}/\\d{1,2}',
  '\\d{1,2}[./]\\d{1,2}[./](?:19|20)\\d{2}',
  `\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH}\\.?,?(?: (?:19|20)\\d{2})?`,
  `${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\\d{2})?`,
  '\\d{4}年\\d{1,2}月\\d{1,2}日',
].join('|');
const UNIT = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)';
const AGE = `(?:\\d{1,4}|an?|one) ${UNIT} ago\\b|\\d{1,4} ?(?:秒|分|分钟|時間|小时|日|天)前`;

/** A moment as a page writes it; it stands alone, so that no part of a longer number or word is taken. */
const MOMENT = new RegExp(
  `(?<![a-z\\d.,:/-])(?:(?:${DATE})(?:(?:,| at|t)? ?${CLOCK})?|${CLOCK}|${AGE})(?![a-z\\d:/])`,
  'g',
);
/** The same in a text as it is written. */
const WRITTEN_MOMENT = new RegExp(MOMENT.source, 'gi');
/** Moments in words without a digit are sought only in texts with one of these. */
const MOMENT_ENDS = [' ago', 'just now'] as const;
const MOMENT_WORDS = /(?<![\p{L}\p{N}])(?:an?|one) (?:second|minute|hour|day|week|month|year) ago\b|\bjust now\b/gu;

/** The text in its normal form; empty where there is none. Idempotent. */
export function normalText(text: string): string {
  const folded = fold(text.slice(0, TEXT_LENGTH_LIMIT));
  const timeless = folded.replaceAll(MOMENT, TIME_TOKEN);
  return MOMENT_ENDS.some((end) => timeless.includes(end)) ? timeless.replaceAll(MOMENT_WORDS, TIME_TOKEN) : timeless;
}

/** A line with a sign in place of each moment, and nothing else changed. */
export function withoutMoments(line: string, sign: string): string {
  return line.slice(0, TEXT_LENGTH_LIMIT).replaceAll(WRITTEN_MOMENT, sign);
}

/** Runs of white space, control and format characters, except a single space: they become one, and most gaps are one. */
const GAP = /[^\S ][\s\p{Cc}\p{Cf}]*|[\p{Cc}\p{Cf}][\s\p{Cc}\p{Cf}]*| [\s\p{Cc}\p{Cf}]+/gu;

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(GAP, ' ').trim();
}
