/** Notes for the user on the origins that get the headers, and those that do not. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { webOrigin, type UserHeaders } from '../../model/user-headers.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Notes } from './notes.ts';

/** Notes where headers go, for a resumed crawl, whose folder names the seeds. */
export function noteWhereHeadersGo(all: UserHeaders, notes: Notes): void {
  if (all.length === 0) return;
  notes.say(`headers are sent to ${originsOf(all).join(', ')} and nowhere else`);
}

/**
 * Explains a log-in that does not work: a site that is named by its short name redirects to another origin, which gets no headers.
 * @param url of a seed; @param location where it redirects to
 */
export function noteHeadersLeft(url: string, location: string, all: UserHeaders, notes: Notes): void {
  const origin = webOrigin(parsedUrl(location, url)?.href ?? '');
  if (origin === null || all.length === 0 || originsOf(all).includes(origin)) return;
  notes.say(
    `${url} redirects to ${origin}, which gets no headers: name it by --header-origin if they are meant for it`,
  );
}

/** Says, once for an origin, that its password is wrong. @param httpAuth the headers of `--http-auth` */
export function notePasswordRefused(url: string, outcome: VisitOutcome, httpAuth: UserHeaders, notes: Notes): void {
  if (outcome.kind !== 'http-error' || outcome.answer.status !== 401) return;
  const origin = webOrigin(url) ?? '';
  if (!originsOf(httpAuth).includes(origin)) return;
  notes.say(`${origin} does not accept the user and the password of --http-auth (it answers 401)`);
}

function originsOf(all: UserHeaders): readonly string[] {
  return [...new Set(all.flatMap(({ origins }) => [...origins]))];
}
