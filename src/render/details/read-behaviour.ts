/** Reads a browser's observations of its page for audits, and the document as it was received, where it has not been read yet. */
import { z } from 'zod';
import { cutText } from '../../base/cut-text.ts';
import type { CookieFacts, PageBehaviour } from '../../model/page-details.ts';
import type { Page } from '../../model/page.ts';
import type { RawPageDetails } from '../../model/page-actions.ts';
import { endpointOf } from '../../model/url/host-key.ts';
import { canonicalUrl } from '../../model/url/canonical-url.ts';
import { SOURCE as COLLECT_DETAILS } from '../generated/collect-details.ts';
import { ADDRESS_LENGTH, COOKIES, FONTS, RECEIVED_LIMIT, STEADY } from '../limits/details-limits.ts';
import { URL_LENGTH } from '../page-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { DetailSettings } from '../renderer.ts';
import type { VisitContext } from '../visit-context.ts';
import type { BehaviourLog } from './behaviour-log.ts';
import { sampleOf } from './network-tally.ts';
import { domainOf, partyOf } from './party.ts';

const size = z.number().nonnegative().max(1e6).transform(Math.round);
const details: z.ZodType<RawPageDetails> = z.object({
  images: z
    .array(
      z.object({
        url: z.string().max(URL_LENGTH),
        ...{ width: size, height: size, shownWidth: size, shownHeight: size },
      }),
    )
    .transform((images) => images.slice(0, 100)),
  steady: z
    .array(z.string().max(URL_LENGTH))
    .transform((urls) => urls.slice(0, STEADY).map((url) => cutText(url, ADDRESS_LENGTH))),
  steadyCut: z.boolean(),
  fonts: z.array(z.string()).transform((names) => names.slice(0, FONTS).map((name) => cutText(name, 100))),
  storage: z.object({ local: size, session: size }).nullable(),
});
const NOTHING: RawPageDetails = { images: [], steady: [], steadyCut: true, fonts: [], storage: null };

interface Asking {
  /** URL of the document that is shown. */
  readonly url: string;
  readonly visited: string;
  /** Did it hang? Then it is asked nothing more. */
  readonly spoiled: boolean;
}

type ObservingContext = Pick<VisitContext, 'options' | 'clock' | 'egress'> & { readonly isFetched: boolean };

/** Empty where the crawl is not audited. Never throws for a page that does not answer: its facts are missing. @throws the signal's reason */
export async function observedOf(
  page: WarmPage,
  asking: Asking,
  context: ObservingContext,
  signal: AbortSignal,
): Promise<Pick<Page, 'behaviour' | 'received'>> {
  const { behaviour: log } = page;
  const settings = context.options.details ?? null;
  if (log === null || settings === null) return {};
  const behaviour = await readBehaviour(page, log, { ...asking, ...context, settings }, signal);
  // a document that was fetched has been read already
  const received = context.isFetched || asking.spoiled ? null : await receivedHtml(page, asking.visited, signal);
  return { behaviour, ...(received === null ? {} : { received }) };
}

async function readBehaviour(
  page: WarmPage,
  log: BehaviourLog,
  { settings, clock, egress, url, spoiled }: Asking & ObservingContext & { readonly settings: DetailSettings },
  signal: AbortSignal,
): Promise<PageBehaviour> {
  const messages = log.messages();
  const isRefused = (asked: string): boolean => {
    const canonical = canonicalUrl(asked);
    if (canonical === null) return false;
    const { hostName, port } = endpointOf(canonical);
    return egress?.lastFailure(hostName, port)?.kind === 'blocked';
  };
  const requests = log.requests.behaviour(url, clock.now() / 1000, isRefused);
  const own = domainOf(url);
  const [{ images, steady, steadyCut, fonts, storage }, cookies] = spoiled
    ? [NOTHING, []]
    : await Promise.all([
        orNothing(pageDetails(page, signal), NOTHING, page, signal),
        orNothing(cookiesOf(page, url, signal), [], page, signal),
      ]);
  const tooLarge = images.filter((image) => !log.requests.isDrawing(image.url));
  return {
    ...messages,
    ...requests,
    tls: settings.seesCertificates ? requests.tls : null,
    images: sampleOf(tooLarge, (image) => ({
      ...image,
      url: cutText(image.url, ADDRESS_LENGTH),
      bytes: log.requests.sizeOf(image.url),
      party: partyOf(image.url, null, own),
    })),
    steadyImages: steady,
    steadyImagesCut: steadyCut,
    fonts,
    storage,
    beforeConsent: log.beforeConsent,
    cookies: sampleOf(cookies, (cookie) => cookie, COOKIES),
  };
}

/** Called just before a consent dialog is answered; the first call of a visit counts. Never throws for a page that does not answer. */
export async function noteBeforeConsent(page: WarmPage, url: string, signal: AbortSignal): Promise<void> {
  const { behaviour: log } = page;
  if (log === null || log.beforeConsent !== null) return;
  const hosts = log.requests.hostsAsked(url);
  const held = await orNothing(cookiesOf(page, url, signal), [], page, signal);
  log.beforeConsent = { hosts, cookies: [...new Set(held.map(({ name }) => name))].slice(0, COOKIES) };
}

function pageDetails(page: WarmPage, signal: AbortSignal): Promise<RawPageDetails> {
  const frame = { session: page.session, frameId: page.frameId, url: null };
  const parse = (answer: unknown): RawPageDetails | null => details.safeParse(answer).data ?? null;
  return runInWorld(page, frame, { source: COLLECT_DETAILS, input: null, parse }, signal);
}

/** Names and flags, never values. */
async function cookiesOf(page: WarmPage, url: string, signal: AbortSignal): Promise<readonly CookieFacts[]> {
  const asked = page.session.send('Network.getAllCookies');
  const { cookies } = await page.within(asked, 'the cookies of the page', signal);
  const own = domainOf(url);
  return cookies.slice(0, 500).map(({ name, domain, secure, httpOnly, sameSite }) => ({
    name: cutText(name, 100),
    domain: cutText(domain, 255),
    secure,
    httpOnly,
    sameSite: sameSite ?? null,
    party: domainOf(`https://${domain.replace(/^\./, '')}/`) === own ? 'first' : 'third',
  }));
}

/** The document as the server sent it; null where the browser has it no more. */
async function receivedHtml(page: WarmPage, url: string, signal: AbortSignal): Promise<string | null> {
  const address = url.split('#', 1)[0];
  const document = page.watch.requests.find((request) => request.type === 'document' && request.url === address);
  if (document === undefined) return null;
  const asked = page.session.send('Network.getResponseBody', { requestId: document.id });
  const read = async (): Promise<string | null> => {
    const { body, base64Encoded } = await page.within(asked, 'the document', signal);
    return base64Encoded || body.length > RECEIVED_LIMIT ? null : body;
  };
  return orNothing(read(), null, page, signal);
}

async function orNothing<Result>(
  reading: Promise<Result>,
  nothing: Result,
  page: WarmPage,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await reading;
  } catch {
    if (!page.gone.aborted) signal.throwIfAborted();
    return nothing;
  }
}
