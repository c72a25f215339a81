/** What a user should know of where the headers go, and where they do not. */
import { parsedUrl } from '../base/parsed-url.ts';
import { webOrigin, type UserHeaders } from '../model/user-headers.ts';
import type { Notes } from './notes.ts';

/** For a crawl that is resumed: it is its folder that names the seeds. */
export function noteWhereHeadersGo({ headers, origins }: UserHeaders, notes: Notes): void {
  if (Object.keys(headers).length === 0) return;
  notes.say(`headers are sent to ${[...origins].join(', ')} and nowhere else`);
}

/**
 * Whoever names a site by its short name, and is sent on to another, may wonder why the log-in does not work there.
 * @param url of a seed; @param location where it redirects to
 */
export function noteHeadersLeft(url: string, location: string, { headers, origins }: UserHeaders, notes: Notes): void {
  const origin = webOrigin(parsedUrl(location, url)?.href ?? '');
  if (origin === null || origins.has(origin) || Object.keys(headers).length === 0) return;
  notes.say(
    `${url} redirects to ${origin}, which gets no headers: name it by --header-origin if they are meant for it`,
  );
}
