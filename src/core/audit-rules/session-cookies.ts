import type { PageFacts } from '../../model/audit-facts.ts';
import type { Observation } from '../../model/audit-rule.ts';
import type { CookieFacts } from '../../model/page-details.ts';

/** Names of cookies that sign in; scripts read cookies against forged forms (CSRF) on purpose. */
const SESSION = /sess|(?:^|[_.-])sid$|^sid(?!e)|auth(?!or(?:$|[^i]))|jwt|log[_-]?in|remember/i;
const FORGERY = /csrf|xsrf/i;
/**
 * Sessions of scripts that count visits, ask for an opinion or detect fraud, and read them: Hotjar, Sourcebuster (WooCommerce), Qualtrics,
 * Medallia, Quantum Metric, PixelYourSite, RudderStack, Optimizely, Stripe, Application Insights, Parse.ly, Adobe Analytics, 6sense. They
 * sign nobody in.
 */
const COUNTING =
  /^(?:_hj|sbjs_|qsi_|kampyle|quantummetric|pys_|(?:rl_session|optimizelysession|__stripe_sid|ai_session|_parsely_session|s_sess|_gd_session)$)/i;

/** A rule's observations on the site's own session cookies that lack a flag. */
export function* sessionCookies(
  { details }: PageFacts,
  lacks: (cookie: CookieFacts) => boolean,
  flag: string,
): Generator<Observation> {
  for (const cookie of details?.behaviour?.cookies.first ?? []) {
    const { name, party } = cookie;
    if (party !== 'first' || !SESSION.test(name) || FORGERY.test(name) || COUNTING.test(name) || !lacks(cookie))
      continue;
    // a name is no proof
    yield {
      thing: name,
      confidence: 'medium',
      message: `The cookie ${name} looks like a session, and is set without ${flag}`,
    };
  }
}
