/** Lets the visits of a crawl pass the tests of servers for cookies. */
import type { Log } from '../../base/log.ts';
import type { HostCookies } from '../../core/cookies/host-cookies.ts';
import { matchesUrl } from '../../core/scope/url-pattern.ts';
import type { RobotsChecker } from '../../dispatch/robots-checker.ts';
import { CookieTests } from '../../fetch/cookie-tests.ts';
import type { VisitDocuments } from '../../fetch/visit-documents.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import { staysSignedIn, type ParsedOptions } from '../../options/options.ts';

type Load = (visit: Visit, signal: AbortSignal) => Promise<VisitOutcome | null>;

interface CookieTestParts {
  readonly documents: VisitDocuments;
  readonly cookies: HostCookies;
  readonly robots: Pick<RobotsChecker, 'verdict'>;
  readonly log: Log;
}

/** A crawl that is signed in brings the cookies of its sign-in. */
export function passingCookieTests(
  options: ParsedOptions,
  load: Load,
  { documents, cookies, robots, log }: CookieTestParts,
): Load {
  if (staysSignedIn(options)) return load;
  const exclude = options.exclude.map((source) => new RegExp(source));
  const tests = new CookieTests(cookies, {
    ask: async (visit, sent, signal) => {
      const got = await documents.document(visit, signal, sent);
      return got.kind === 'document' ? null : got.outcome;
    },
    isAllowed: async (url, signal) =>
      !exclude.some((pattern) => matchesUrl(pattern, url)) && (await robots.verdict(url, signal)).kind === 'allowed',
    log,
  });
  return (visit, signal) => tests.load(visit, load, signal);
}
