/** Durations to read at a glance. How they are written in settings stands in options/quantity-grammar.ts. */

/** A duration to read at a glance: `350 ms`, `4.2 s`, `1 min 5 s`, `2 h 3 min`. @param duration milliseconds, 0 or more */
export function durationWords(duration: number): string {
  if (duration < 1000) return `${Math.round(duration)} ms`;
  const total = Math.round(duration / 1000);
  if (duration < 10_000) return `${Math.round(duration / 100) / 10} s`;
  if (total < 60) return `${total} s`;
  const [whole, rest, units] = total < 3600 ? split(total, 'min', 's') : split(Math.round(total / 60), 'h', 'min');
  return rest === 0 ? `${whole} ${units[0]}` : `${whole} ${units[0]} ${rest} ${units[1]}`;
}

/** Stopwatch form for progress lines: `0:07`, `12:30`, `1:02:03`. @param duration milliseconds */
export function stopwatch(duration: number): string {
  const total = Math.floor(duration / 1000);
  const [hour, minute, second] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = `${String(minute).padStart(hour > 0 ? 2 : 1, '0')}:${String(second).padStart(2, '0')}`;
  return hour > 0 ? `${hour}:${tail}` : tail;
}

function split(total: number, large: string, small: string): readonly [number, number, readonly [string, string]] {
  return [Math.floor(total / 60), total % 60, [large, small]];
}
