import type { EpochMs } from '../../base/units.ts';
import type { Headers } from '../../model/page.ts';

/** RFC 9110 §5.6.7, the form that servers must send. */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Time of a page's last change by its server: `2026-01-02T03:04:05Z`; null where the server does not say, or names the moment of its
 * answer or a later one, which says nothing.
 * @param headers names in lower case
 */
export function lastModified(headers: Headers, answered: EpochMs): string | null {
  const [, value = ''] = headers.find(([name]) => name === 'last-modified') ?? [];
  if (!HTTP_DATE.test(value)) return null;
  const changed = Date.parse(value);
  if (!Number.isFinite(changed) || changed >= Math.floor(answered / 1000) * 1000) return null;
  return new Date(changed).toISOString().replace('.000Z', 'Z');
}
