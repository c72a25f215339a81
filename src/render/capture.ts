/** Puts together what a visit brought home. Pure but for what it is given. */
import { bytes, milliseconds, type EpochMs, type Milliseconds } from '../base/units.ts';
import type { Page, PageProblems, Settle, VisitTiming } from '../model/page.ts';
import type { Visit } from '../model/visit.ts';
import type { Collected } from './collect.ts';
import type { AnswerHead } from './judge-answer.ts';
import { LINK_LIMIT } from './page-limits.ts';
import { sightingKey } from './sightings.ts';

export interface Haul {
  readonly visit: Visit;
  readonly head: AnswerHead;
  readonly startedAt: EpochMs;
  readonly timing: VisitTiming;
  readonly settle: Settle;
  readonly collected: Collected;
  readonly screenshot: Uint8Array | null;
  readonly problems: PageProblems;
}

export function capturedPage(haul: Haul): Page {
  const { visit, head, collected, settle, screenshot, problems, startedAt, timing } = haul;
  const { facts, html, text } = collected.main;
  return {
    url: visit.url,
    finalUrl: facts.url,
    status: head.status,
    headers: head.headers,
    contentType: head.contentType === '' ? facts.contentType : head.contentType,
    bytes: bytes(Math.floor(facts.bytes)),
    startedAt,
    rendered: true,
    timing,
    settle,
    title: facts.title,
    description: facts.description,
    canonical: facts.canonical,
    lang: facts.lang,
    h1: facts.h1,
    robots: [...new Set([...facts.robots, ...headerRobots(head)])],
    html,
    text,
    screenshot,
    sightings: collected.sightings,
    sightingsTotal: collected.total,
    problems,
  };
}

/** A success without a body (204, 205): there is nothing to render, and nothing went wrong. */
export function emptyPage(haul: Pick<Haul, 'visit' | 'head' | 'startedAt' | 'timing'>): Page {
  const { visit, head, startedAt, timing } = haul;
  return {
    url: visit.url,
    finalUrl: visit.url,
    status: head.status,
    headers: head.headers,
    contentType: head.contentType,
    bytes: bytes(0),
    startedAt,
    rendered: false,
    timing,
    settle: { reason: 'not-rendered', pending: [] },
    title: '',
    description: null,
    canonical: null,
    lang: null,
    h1: [],
    robots: headerRobots(head),
    html: null,
    text: null,
    screenshot: null,
    sightings: [],
    sightingsTotal: 0,
    problems: { console: 0, exceptions: 0, failedRequests: 0 },
  };
}

/** What was there before the page was scrolled keeps its stage; what came by it has the later one. */
export function joined(before: Collected, after: Collected): Collected {
  const known = new Set(before.sightings.map(sightingKey));
  const fresh = after.sightings.filter((sighting) => !known.has(sightingKey(sighting)));
  const sightings = [...before.sightings, ...fresh].slice(0, LINK_LIMIT);
  return { main: after.main, sightings, total: Math.max(before.total, after.total, sightings.length) };
}

/** Directives with a value of their own; before any other colon stands the name of a robot. */
const VALUED = /^(max-snippet|max-image-preview|max-video-preview|unavailable_after)\s*:/;

/** X-Robots-Tag, as far as it speaks to every robot. */
function headerRobots({ headers }: AnswerHead): readonly string[] {
  return headers
    .filter(([name]) => name === 'x-robots-tag')
    .map(([, value]) => value.trim().toLowerCase())
    .filter((value) => !/^[^,]*:/.test(value) || VALUED.test(value))
    .flatMap((value) => value.split(','))
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '');
}

export interface Moments {
  readonly leasedAt: EpochMs;
  readonly startedAt: EpochMs;
  /** The rest on the monotonic clock; null where it did not come to that. */
  readonly started: Milliseconds;
  readonly answered: Milliseconds;
  readonly loaded: Milliseconds | null;
  readonly settled: Milliseconds | null;
  readonly ended: Milliseconds;
}

export function timingOf(moments: Moments): VisitTiming {
  const { started, answered, ended } = moments;
  const settled = moments.settled ?? ended;
  const loaded = moments.loaded ?? settled;
  const span = (from: number, to: number): Milliseconds => milliseconds(Math.round(Math.max(0, to - from)));
  return {
    wait: span(moments.leasedAt, moments.startedAt),
    ttfb: span(started, answered),
    load: span(started, loaded),
    settle: span(loaded, settled),
    total: span(started, ended),
  };
}
