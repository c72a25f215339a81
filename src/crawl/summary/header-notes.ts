/** Notes for the user on the origins that get the headers, and those that do not. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { webOrigin, type UserHeaders } from '../../model/user-headers.ts';
import type { Headers } from '../../model/page.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
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

/**
 * Says, once for an origin, why it lets nobody in: the password is wrong, it asks for what `--http-auth` cannot give, or a seed found none.
 * @param httpAuth the headers of `--http-auth`
 */
export function noteUnauthorised(visit: Visit, outcome: VisitOutcome, httpAuth: UserHeaders, notes: Notes): void {
  if (outcome.kind !== 'http-error' || outcome.answer.status !== 401) return;
  const origin = webOrigin(visit.url) ?? '';
  const gets = originsOf(httpAuth).includes(origin);
  if (!gets && visit.kind !== 'seed') return; // a part of a site that is not meant for everybody
  const schemes = schemesOf(outcome.answer.headers);
  const others = schemes.filter((scheme) => scheme !== 'Basic');
  if (others.length > 0 && others.length === schemes.length)
    notes.say(
      `${origin} asks for the user and the password by ${others.join(' and ')}, and --http-auth sends them by Basic only`,
    );
  else if (gets) notes.say(`${origin} does not accept the user and the password of --http-auth (it answers 401)`);
  else if (schemes.length > 0)
    notes.say(`${origin} asks for a user and a password (HTTP authentication): --http-auth gives them`);
}

/** Ways of asking for a user and a password, of which `--http-auth` knows the first. */
const SCHEMES = ['Basic', 'Digest', 'Negotiate', 'NTLM'];

/** The ways that an answer names (RFC 9110, WWW-Authenticate); words in a quoted text and names of parameters are none. The browser joins headers by line breaks. */
function schemesOf(headers: Headers): readonly string[] {
  const challenges = headers.flatMap(([name, value]) => (name === 'www-authenticate' ? [value] : []));
  const unquoted = challenges.join(',').replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/gs, '');
  const named = new Set(unquoted.split(/[,\n]/).map((part) => part.trim().split(/\s/, 1)[0]?.toLowerCase()));
  return SCHEMES.filter((scheme) => named.has(scheme.toLowerCase()));
}

function originsOf(all: UserHeaders): readonly string[] {
  return [...new Set(all.flatMap(({ origins }) => [...origins]))];
}
