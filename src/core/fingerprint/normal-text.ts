/**
 * The text of a page for comparisons: NFKC, lower case, white space folded, and one token in
 * place of texts that change by themselves with time. Other digits stay: a price is content (design/duplicates-and-traps,
 * "What is compared").
 */
import { calendarWords } from './calendar-words.ts';

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
/** What may be the name of a month or a day of the week: `quinta-feira` is one. */
const NAME = '\\p{L}{3,14}(?:-\\p{L}{3,6})?';
/** A day of the week behind a date. */
const DAY_BEHIND = ' ?(?:[(（][日月火水木金土][)）]|[日月火水木金土]曜日|星期[一二三四五六日天])';
/** A date that names its day of the week, or its month in another language: groups for day, gap, month and year. */
const NAMED_DATE = new RegExp(
  `(?<![\\p{L}\\p{N}.,:/-])(?:(${NAME})(\\.?,? (?:den |the )?))?` +
    `(?:(?:${DATE})(?:${DAY_BEHIND})?|\\d{1,2}\\.? (?:de )?(${NAME})\\.?(?:,? (?:de |del )?((?:19|20)\\d{2}))?)` +
    `(?:(?:,| at|t)? ?${CLOCK})?(?![a-z\\d:/])`,
  'giu',
);
/** Moments in words without a digit are sought only in texts with one of these. */
const MOMENT_ENDS = [' ago', 'just now'] as const;
const MOMENT_WORDS = /(?<![\p{L}\p{N}])(?:an?|one) (?:second|minute|hour|day|week|month|year) ago\b|\bjust now\b/gu;

/** The text in its normal form; empty where there is none. Idempotent. */
export function normalText(text: string): string {
  const folded = fold(text.slice(0, TEXT_LENGTH_LIMIT));
  const timeless = folded.replaceAll(MOMENT, TIME_TOKEN);
  return MOMENT_ENDS.some((end) => timeless.includes(end)) ? timeless.replaceAll(MOMENT_WORDS, TIME_TOKEN) : timeless;
}

/** A line with a sign in place of each moment, with its day of the week and in several languages, and nothing else changed. */
export function withoutMoments(line: string, sign: string): string {
  const text = line.slice(0, TEXT_LENGTH_LIMIT);
  if (!/\d/.test(text)) return text.replaceAll(WRITTEN_MOMENT, sign);
  return text
    .replaceAll(
      NAMED_DATE,
      (match: string, ...[day, gap = '', month, year]: readonly (string | undefined)[]): string => {
        const hasDay = isCalendarName(day);
        // without a year or a day of the week, the word behind a number may be any
        if (month !== undefined && !(isCalendarName(month) && (hasDay || year !== undefined))) return match;
        return hasDay || day === undefined ? sign : day + gap + sign;
      },
    )
    .replaceAll(WRITTEN_MOMENT, sign);
}

function isCalendarName(name: string | undefined): boolean {
  return name !== undefined && name.split('-').every((word) => calendarWords().has(word.toLowerCase()));
}

/** Runs of white space, control and format characters, except a single space: they become one, and most gaps are one. */
const GAP = /[^\S ][\s\p{Cc}\p{Cf}]*|[\p{Cc}\p{Cf}][\s\p{Cc}\p{Cf}]*| [\s\p{Cc}\p{Cf}]+/gu;

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(GAP, ' ').trim();
}
