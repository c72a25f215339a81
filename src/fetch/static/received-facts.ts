/** The document of a page before its scripts ran, read like an unrendered page: an audit compares the page with it. */
import { factsOf } from '../../core/html/facts.ts';
import { visibleText } from '../../core/html/text.ts';
import { readHtml } from '../../core/html/tree.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import type { Page } from '../../model/page.ts';
import type { ReceivedFacts } from '../../model/page-details.ts';
import type { VisitOutcome } from '../../model/visit-outcome.ts';
import type { Visit } from '../../model/visit.ts';
import type { Offload } from '../../offload/offload.ts';
import type { Task } from '../../offload/task.ts';
import { TEXT_LIMIT } from '../../render/page-limits.ts';
import type { PageLoader } from '../load-page.ts';
import { documentElements } from './markup-links.ts';

interface ReceivedDocument {
  readonly html: string;
  readonly url: string;
}

/** Task: reads a received document. */
export const RECEIVED_FACTS: Task<ReceivedDocument, ReceivedFacts> = { name: 'received document', run: readReceived };

function readReceived({ html, url }: ReceivedDocument): ReceivedFacts {
  const tree = readHtml(html);
  const elements = documentElements(tree.top);
  const { title, canonical, robots, base } = factsOf(tree, elements, url);
  const links = elements
    .filter(({ name }) => name === 'a' || name === 'area')
    .map(({ attributes }) => attributes.get('href'));
  return {
    ...{ title, canonical, robots },
    words: wordsOf(visibleText(tree.top, TEXT_LIMIT)),
    links: addressesOf(
      links.filter((href) => href !== undefined),
      base,
    ),
  };
}

/** The facts of a document that was already read as a page. */
export function receivedFactsOf({ title, canonical, robots, text, foundLinks }: Page): ReceivedFacts {
  const anchors = foundLinks.filter(({ kind }) => kind === 'anchor');
  const links = new Set(anchors.map(({ href, base }) => withoutFragment(parsedUrl(href, base)?.href ?? '')));
  return { title, canonical, robots, words: wordsOf(text ?? ''), links: links.size };
}

/** Reads the received documents that a browser passes on; an unreadable one is left out. */
export function withReceivedFacts(loader: PageLoader, offload: Offload): PageLoader {
  return {
    load: async (visit, signal) => readBeside(visit, await loader.load(visit, signal), offload, signal),
  };
}

async function readBeside(
  visit: Visit,
  outcome: VisitOutcome,
  offload: Offload,
  signal: AbortSignal,
): Promise<VisitOutcome> {
  if (outcome.kind !== 'captured' || typeof outcome.page.received !== 'string') return outcome;
  const { received, ...page } = outcome.page;
  const place = { url: visit.url, size: received.length };
  const read = await offload.run(RECEIVED_FACTS, { html: received, url: visit.url }, place, signal);
  return { ...outcome, page: read.kind === 'done' ? { ...page, received: read.value } : page };
}

function wordsOf(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function addressesOf(hrefs: readonly string[], base: string): number {
  return new Set(
    hrefs
      .map((href) => parsedUrl(href, base)?.href ?? '')
      .filter((href) => /^https?:/.test(href))
      .map(withoutFragment),
  ).size;
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
