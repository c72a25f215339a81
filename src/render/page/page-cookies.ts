import type { Cookies } from '../../core/cookies/host-cookies.ts';
import { testTargetOf } from '../../core/cookies/cookie-test.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { FrameCollection } from '../../model/page-facts.ts';
import type { WarmPage } from './warm-page.ts';

/** Characters of text of a page that only tests for cookies: it says at most to wait (arbitrary). */
const TEST_TEXT = 300;
/** Kinds of link that a reader sees. */
const VISIBLE: ReadonlySet<string> = new Set(['anchor', 'area', 'form', 'frame']);

/** Puts the cookies that a host demands into the storage of a page, before it asks for the document. The page may have newer ones: they stay. */
export async function bringCookies(
  page: WarmPage,
  url: CanonicalUrl,
  cookies: Cookies,
  signal: AbortSignal,
): Promise<void> {
  if (cookies.size === 0) return;
  const { session } = page;
  const bring = async (): Promise<void> => {
    const { cookies: stored } = await session.send('Network.getCookies', { urls: [url] });
    const names = new Set(stored.map(({ name }) => name));
    const missing = [...cookies].filter(([name]) => !names.has(name));
    // one that the browser refuses is left out: the server says what follows
    await Promise.all(
      missing.map(([name, value]) => session.send('Network.setCookie', { name, value, url }).catch(() => {})),
    );
  };
  await page.within(bring(), 'its cookies', signal);
}

/** A redirect that may be part of a test for cookies, with the cookies that the page holds now: the browser keeps Set-Cookie to itself. */
export async function withCookies(
  page: WarmPage,
  { url, outcome }: { readonly url: CanonicalUrl; readonly outcome: VisitOutcome },
  signal: AbortSignal,
): Promise<VisitOutcome> {
  if (outcome.kind !== 'redirected' || testTargetOf(url, outcome.location) === null) return outcome;
  return { ...outcome, cookies: await cookiesOf(page, url, signal) };
}

/** The cookies of a page that shows next to nothing, and whose script loads it again; empty for any other page. */
export async function cookiesOfReloading(
  page: WarmPage,
  { url, main }: { readonly url: CanonicalUrl; readonly main: FrameCollection },
  signal: AbortSignal,
): Promise<{ readonly cookies?: Cookies }> {
  const { navigations, links, text } = main;
  // to load again is counted, but is no new address; what only changes the history loads nothing
  const isTest = navigations.kept.every(
    (asked) => asked.how === 'location' && (testTargetOf(url, asked.url)?.kind ?? 'naming') !== 'naming',
  );
  const isEmpty = (text ?? '').length <= TEST_TEXT && !links.kept.some(({ kind }) => VISIBLE.has(kind));
  return navigations.total > 0 && isTest && isEmpty ? { cookies: await cookiesOf(page, url, signal) } : {};
}

async function cookiesOf(page: WarmPage, url: CanonicalUrl, signal: AbortSignal): Promise<Cookies> {
  const asked = page.session.send('Network.getCookies', { urls: [url] });
  // without an answer the page is like others
  const { cookies } = await page.within(asked, 'its cookies', signal).catch(() => ({ cookies: [] }));
  return new Map(cookies.map(({ name, value }) => [name, value]));
}
