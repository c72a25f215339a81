/** Notes for the user on the origins that get the headers, and those that do not. */
import { parsedUrl } from '../base/parsed-url.ts';
import { webOrigin, type UserHeaders } from '../model/user-headers.ts';
import type { Notes } from './notes.ts';

/** For a crawl that is resumed, whose folder names the seeds. */
export function noteWhereHeadersGo({ headers, origins }: UserHeaders, notes: Notes): void {
  if (Object.keys(headers).length === 0) return;
  notes.say(`headers are sent to ${[...origins].join(', ')} and nowhere else`);
}

/**
 * Explains a log-in that does not work: a site that is named by its short name redirects to another origin, which gets no headers.
 * @param url of a seed; @param location where it redirects to
 */
export function noteHeadersLeft(url: string, location: string, { headers, origins }: UserHeaders, notes: Notes): void {
  const origin = webOrigin(parsedUrl(location, url)?.href ?? '');
  if (origin === null || origins.has(origin) || Object.keys(headers).length === 0) return;
  notes.say(
    `${url} redirects to ${origin}, which gets no headers: name it by --header-origin if they are meant for it`,
  );
}
