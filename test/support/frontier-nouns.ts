/** The frontier's nouns, with defaults for all fields that a test does not set. */
import { epochMs, milliseconds, type EpochMs } from '../../src/base/units.ts';
import type { Frontier, LeaseRequest } from '../../src/frontier/frontier.ts';
import type { Candidate } from '../../src/model/candidate.ts';
import type { LinkRecord, PageRecord, SkippedRecord, SkipReason } from '../../src/model/record.ts';
import { canonicalUrl, type CanonicalUrl } from '../../src/model/url/canonical-url.ts';
import type { Disposition, CommittedLink, VisitCommit } from '../../src/model/visit-commit.ts';
import type { Visit } from '../../src/model/visit.ts';

export function url(text: string): CanonicalUrl {
  const canonical = canonicalUrl(text);
  if (canonical === null) throw new TypeError(`no URL: ${text}`);
  return canonical;
}

export function seed(text: string): Candidate {
  return { url: url(text), depth: 0, redirects: 0, hops: 0, referrer: null, kind: 'seed', confidence: 'high' };
}

export function candidate(text: string, given: Partial<Candidate> = {}): Candidate {
  return {
    url: url(text),
    depth: 1,
    redirects: 0,
    hops: 0,
    referrer: null,
    kind: 'anchor',
    confidence: 'high',
    ...given,
  };
}

export function skip(text: string, reason: SkipReason = 'out-of-scope'): SkippedRecord {
  return { url: text, reason, rule: 'a rule', referrer: null };
}

export function pageRecord(of: CanonicalUrl, found = 0): PageRecord {
  return {
    url: of,
    finalUrl: of,
    outcome: 'captured',
    status: 200,
    redirects: [],
    contentType: 'text/html',
    bytes: 1,
    truncated: null,
    depth: 0,
    referrer: null,
    attempt: 1,
    confidence: 'high',
    startedAt: '2026-01-01T00:00:00.000Z',
    rendered: true,
    timing: null,
    settle: { reason: 'quiet', pending: [] },
    empty: false,
    consent: null,
    title: 'Grüße, "Welt"',
    description: null,
    canonical: null,
    lang: null,
    h1: [],
    facts: {},
    words: 1,
    robots: [],
    robotsRule: null,
    lastModified: null,
    digest: null,
    duplicateOf: null,
    similarity: null,
    credit: { cash: 0, history: 0, importance: 0 },
    links: { found, new: 0, parts: 0 },
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
    snapshot: { html: null, text: null, screenshot: null, warc: null },
    detail: null,
  };
}

/** An anchor of a page, as in links.jsonl. */
export function linkRecord(from: string, to: string): Omit<LinkRecord, 'new'> {
  return {
    from,
    to,
    href: to,
    kind: 'anchor',
    confidence: 'high',
    context: 'a/@href',
    stage: 'load',
    frame: null,
    text: '',
    rel: [],
  };
}

/** A link that the scope accepts. */
export function link(from: Visit, to: string, given: Partial<Candidate> = {}): CommittedLink {
  const target = candidate(to, { depth: from.depth + 1, referrer: from.url, ...given });
  return { record: linkRecord(from.url, target.url), target: { kind: 'candidate', candidate: target } };
}

/** A link that is not followed. */
export function skippedLink(from: Visit, to: string, reason: SkipReason = 'out-of-scope'): CommittedLink {
  return {
    record: linkRecord(from.url, to),
    target: { kind: 'skipped', record: { ...skip(to, reason), referrer: from.url } },
  };
}

export function commit(
  ending: Disposition,
  links: readonly CommittedLink[] = [],
  given: Partial<VisitCommit> = {},
): VisitCommit {
  const silent = { hostBackoff: null, hostBackoffMost: null, serverTime: null, novelty: null };
  return { disposition: ending, links, hostDelay: milliseconds(0), hostSlots: 1, newSeeds: [], ...silent, ...given };
}

export function visited(
  visit: Visit,
  links: readonly CommittedLink[] = [],
  given: Partial<VisitCommit> = {},
): VisitCommit {
  return commit({ kind: 'visited', record: pageRecord(visit.url, links.length) }, links, given);
}

/** A point in time, milliseconds after the beginning of a test. */
export function at(time: number): EpochMs {
  return epochMs(1_000_000 + time);
}

export function request(time: number, given: Partial<LeaseRequest> = {}): LeaseRequest {
  return { now: at(time), count: 1, leaseFor: milliseconds(60_000), newHostDelay: milliseconds(1000), ...given };
}

/** Leases the one visit that must be available now. */
export async function leaseOne(frontier: Frontier, time: number): Promise<Visit> {
  const reply = await frontier.lease(request(time));
  const visit = reply.kind === 'leased' ? reply.visits[0] : undefined;
  if (visit === undefined) throw new Error(`nothing leased: ${JSON.stringify(reply)}`);
  return visit;
}
