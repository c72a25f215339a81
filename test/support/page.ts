import { bytes, epochMs, milliseconds } from '../../src/base/units.ts';
import type { FoundLink } from '../../src/model/link.ts';
import type { Page } from '../../src/model/page.ts';
import { canonicalUrl, type CanonicalUrl } from '../../src/model/url/canonical-url.ts';
import { hostKeyOf } from '../../src/model/url/host-key.ts';
import type { Answer } from '../../src/model/visit-outcome.ts';
import type { Visit } from '../../src/model/visit.ts';

export function url(text: string): CanonicalUrl {
  const canonical = canonicalUrl(text);
  if (canonical === null) throw new Error(`not a URL: ${text}`);
  return canonical;
}

export const TIMING = {
  wait: milliseconds(1),
  ttfb: milliseconds(2),
  load: milliseconds(3),
  settle: milliseconds(4),
  total: milliseconds(10),
} as const;

/** A page as a renderer might return it. */
export function pageOf(address: string, more: Partial<Page> = {}): Page {
  return {
    url: url(address),
    finalUrl: address,
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    contentType: 'text/html',
    bytes: bytes(100),
    truncated: null,
    startedAt: epochMs(1_700_000_000_000),
    rendered: true,
    timing: TIMING,
    settle: { reason: 'timer-drained', pending: [] },
    empty: false,
    title: 'Title',
    description: null,
    canonical: null,
    lang: 'en',
    h1: [],
    robots: [],
    html: '<!doctype html><title>Title</title>',
    text: 'Some words of a page',
    screenshot: null,
    foundLinks: [],
    foundLinksTotal: 0,
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
    ...more,
  };
}

export function visitOf(address: string, more: Partial<Visit> = {}): Visit {
  return {
    url: url(address),
    host: hostKeyOf(url(address)),
    depth: 0,
    redirects: 0,
    hops: 0,
    referrer: null,
    kind: 'seed',
    confidence: 'high',
    attempt: 1,
    deaths: 0,
    firstOfHost: false,
    token: 1,
    leasedAt: epochMs(1_700_000_000_000),
    leasedUntil: epochMs(1_700_000_030_000),
    ...more,
  };
}

export function answerOf(status: number, more: Partial<Answer> = {}): Answer {
  return { status, headers: [], contentType: 'text/html', timing: TIMING, ...more };
}

/** A link by an anchor. */
export function anchorOf(href: string, base: string, more: Partial<FoundLink> = {}): FoundLink {
  return {
    href,
    base,
    resolved: null,
    kind: 'anchor',
    confidence: 'high',
    context: 'a/@href',
    stage: 'load',
    frame: null,
    text: '',
    rel: [],
    ...more,
  };
}
