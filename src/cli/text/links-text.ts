/** Answers from the link graph as text for people. */
import { counted, grouped } from '../../base/count-words.ts';
import type { LinkMatch, LinksOfUrl } from '../../inspect/link-lookup.ts';
import type { Orphans, WayStep } from '../../inspect/link-surveys.ts';
import type { DepthAnswer, RankAnswer } from '../../inspect/query-links.ts';
import { linkAbout } from './history-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { rowsText } from '../terminal/rows.ts';
import { cutForTerminal, safeText } from '../terminal/safe-text.ts';

export interface LinksFrame {
  readonly paint: Paint;
  /** Columns; longer lines are folded. */
  readonly width: number;
}

/** The links of one URL, without a line feed at the end. */
export function linksText(found: LinksOfUrl, direction: 'from' | 'to', { paint, width }: LinksFrame): string {
  const rows = [
    { title: 'Page', lines: [standingWords(found)] },
    { title: direction === 'to' ? 'Linked' : 'Links', lines: totalLines(found, direction) },
  ];
  const groups = groupsOf(found.links, direction).map(([url, links]) => groupText(url, links, paint));
  const more = found.more ? [paint.faint('and more: --limit <n> shows them, --kind <kinds> fewer of them')] : [];
  return [paint.strong(safeText(found.url)), rowsText(rows, { paint, width }), ...groups, ...more].join('\n\n');
}

function standingWords({ outcome, isSeed, redirectsTo }: LinksOfUrl): string {
  const parts = [
    outcome ?? 'not visited',
    ...(isSeed ? ['a seed'] : []),
    ...(redirectsTo === null ? [] : [`redirects to ${safeText(redirectsTo)}`]),
  ];
  return parts.join(', ');
}

function totalLines({ total, byKind, redirects }: LinksOfUrl, direction: 'from' | 'to'): readonly string[] {
  if (total === 0) return [direction === 'to' ? 'by nobody' : 'nowhere'];
  const kinds = Object.entries(byKind)
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${grouped(count)} ${kind}`);
  const words = direction === 'to' ? `by ${counted(total, 'URL')}` : `to ${counted(total, 'URL')}`;
  return [
    `${words}: ${kinds.join(', ')}`,
    ...redirects.map(({ url, total: own }) => `${grouped(own)} of them by ${safeText(url)}, which redirects here`),
  ];
}

/** Groups links by the URL at the other end; each group stands where its first link comes. */
function groupsOf(
  links: readonly LinkMatch[],
  direction: 'from' | 'to',
): readonly (readonly [string, readonly LinkMatch[]])[] {
  const groups = new Map<string, LinkMatch[]>();
  for (const link of links) {
    const url = direction === 'to' ? link.from : link.to;
    const group = groups.get(url) ?? [];
    group.push(link);
    groups.set(url, group);
  }
  return [...groups];
}

function groupText(url: string, links: readonly LinkMatch[], paint: Paint): string {
  const lines = links.map((link) => {
    if (link.via === undefined) return paint.faint(`  ${linkAbout(link)}`);
    // such a link can have made known the URL that redirects, and not the one that was asked for
    return paint.faint(`  ${linkAbout({ ...link, new: false })}, via ${safeText(link.via)}, which redirects`);
  });
  return [safeText(url), ...lines].join('\n');
}

/** @param limit pages that are shown */
export function orphansText({ pages, inSitemaps }: Orphans, limit: number, { paint }: LinksFrame): string {
  if (inSitemaps === 0)
    return 'No sitemap of the site was read, or none names a page: orphans cannot be found without one.';
  if (pages.length === 0) return 'Every page of the sitemaps is linked from some page.';
  const shown = pages
    .slice(0, limit)
    .map(({ url, outcome, sitemap }) =>
      [safeText(url), paint.faint(`  ${outcome ?? 'not visited'}, in ${safeText(sitemap)}`)].join('\n'),
    );
  const head = `${counted(pages.length, 'page')} in a sitemap that no page links to`;
  return [paint.strong(head), ...shown, ...moreText(pages.length - limit, paint)].join('\n');
}

export function deadEndsText(pages: readonly string[], limit: number, { paint }: LinksFrame): string {
  if (pages.length === 0) return 'Every page links to another one.';
  const head = `${counted(pages.length, 'page')} without a link to another page`;
  const shown = pages.slice(0, limit).map((url) => safeText(url));
  return [paint.strong(head), ...shown, ...moreText(pages.length - limit, paint)].join('\n');
}

/** @param unreached some of the pages that no links lead to */
export function depthsText(answer: DepthAnswer, unreached: readonly string[], { paint }: LinksFrame): string {
  const width = Math.max(6, ...answer.depths.map((count) => grouped(count).length));
  const row = (clicks: string, pages: string): string => `${clicks.padStart(6)}  ${pages.padStart(width)}`;
  const rows = answer.depths.map((count, clicks) => row(String(clicks), grouped(count)));
  const head = paint.faint(row('clicks', 'pages'));
  if (answer.unreached === 0) return [head, ...rows].join('\n');
  const words = `${counted(answer.unreached, 'page')} that no links lead to from the seeds`;
  const shown = unreached.map((url) => safeText(url));
  return [head, ...rows, '', paint.strong(words), ...shown, ...moreText(answer.unreached - shown.length, paint)].join(
    '\n',
  );
}

export function wayText(url: string, steps: readonly WayStep[], { paint }: LinksFrame): string {
  if (steps.length === 0) return `No links lead from the seeds to ${safeText(url)}.`;
  const clicks = steps.filter(({ redirected }, index) => index > 0 && !redirected).length;
  const lines = steps.flatMap(({ url: place, link, redirected }) => [
    ...(redirected ? [paint.faint('  redirects to')] : []),
    // readers can follow each step: a route that the crawl was not sure of was captured
    ...(link === null ? [] : [paint.faint(`  ${linkAbout({ ...link, confidence: 'high' })}`)]),
    safeText(place),
  ]);
  return [paint.strong(`${counted(clicks, 'click')} from a seed`), ...lines].join('\n');
}

export function ranksText({ pages, links, top, written }: RankAnswer, { paint }: LinksFrame): string {
  const head = `${counted(pages, 'page')}, ${counted(links, 'link')} between them`;
  const titles = paint.faint('pageRank  authority       hub       site');
  const share = (value: number, width: number): string => `${(value * 100).toFixed(3)} %`.padStart(width);
  const rows = top.map(
    ({ url, rank }) =>
      `${share(rank.pageRank, 8)}  ${rank.authority.toFixed(5).padStart(9)}  ${rank.hub.toFixed(5).padStart(8)}  ${share(rank.site, 9)}  ${cutForTerminal(safeText(url), 200)}`,
  );
  const end = written ? 'Each line of pages.jsonl has its ranks now, as "rank".' : NOT_WRITTEN;
  return [paint.strong(head), titles, ...rows, '', end].join('\n');
}

const NOT_WRITTEN = 'pages.jsonl stays as it is: the crawl can be resumed, or this user may not write to it.';

function moreText(count: number, paint: Paint): readonly string[] {
  return count > 0 ? [paint.faint(`and ${grouped(count)} more: --limit <n> shows them`)] : [];
}
