/** Names of months and days of the week: the pages of a calendar are the same but for these. */

/** Languages whose names are known; those that write days and months with figures alone need none. */
const LANGUAGES = 'en de fr es it pt nl sv da fi pl cs hu ro ru uk el tr'.split(' ');
/** A shorter name is a word of other languages as well. */
const SHORTEST = 3;
const DAY = 86_400_000;
/** A Monday in January; four weeks on it is the same day of the week, and thirty days on another month. */
const A_MONDAY = Date.UTC(2001, 0, 1);

let names: ReadonlySet<string> | null = null;

/** Words in lower case, without the dots of abbreviations. Made once, on the first call, because that takes some time. */
export function calendarWords(): ReadonlySet<string> {
  return (names ??= new Set(LANGUAGES.flatMap(wordsOf)));
}

function wordsOf(language: string): readonly string[] {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2001, month, 15));
  const days = Array.from({ length: 7 }, (_, day) => A_MONDAY + day * DAY);
  return (['long', 'short'] as const).flatMap((width) => [
    ...formatted(language, { month: width }, months),
    // many languages inflect the name of a month after a day
    ...(width === 'long' ? formatted(language, { month: width, day: 'numeric' }, months) : []),
    ...formatted(language, { weekday: width }, days),
  ]);
}

function formatted(
  language: string,
  wanted: Readonly<Intl.DateTimeFormatOptions>,
  moments: readonly number[],
): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { ...wanted, timeZone: 'UTC' });
  return moments.flatMap((moment) =>
    (
      format
        .format(moment)
        .toLowerCase()
        .match(/[\p{L}\p{M}]+/gu) ?? []
    ).filter((word) => word.length >= SHORTEST),
  );
}
