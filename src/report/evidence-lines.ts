import { grouped } from '../base/count-words.ts';
import type { Evidence, Finding } from '../model/finding.ts';

/** The evidence as names and values, one line each; long lists are cut. */
export function evidenceLines(evidence: Evidence): readonly (readonly [name: string, value: string])[] {
  const { selector, snippet, header, request, change, chain = [], others = [] } = evidence;
  return [
    ...(selector === undefined ? [] : [['element', selector] as const]),
    ...(snippet === undefined ? [] : [['found', snippet] as const]),
    ...(header === undefined ? [] : [['header', header] as const]),
    ...(request === undefined ? [] : [['request', request] as const]),
    ...(change === undefined ? [] : [['change', change] as const]),
    ...(chain.length === 0 ? [] : [['chain', shortList(chain, ' → ')] as const]),
    ...(others.length === 0 ? [] : [['also', shortList(others, ', ')] as const]),
  ];
}

/** Entries of a list that are shown. */
const LISTED = 10;

function shortList(all: readonly string[], between: string): string {
  const shown = all.slice(0, LISTED).join(between);
  return all.length > LISTED ? `${shown} and ${grouped(all.length - LISTED)} more` : shown;
}

/** The places of a finding: its page, the target that the page refers to, the first of the pages that show it. */
export function sourceLines({ url, target, sources }: Finding): readonly string[] {
  const shown = sources.first.slice(0, LISTED).map((source) => {
    const text = source.text === undefined ? '' : ` (“${source.text}”)`;
    return `on ${source.url}${text}`;
  });
  const more = sources.count - shown.length;
  return [
    ...(shown.length > 0 && shown.length === sources.count ? [] : [`page: ${url}`]),
    ...(target === null ? [] : [`refers to: ${target}`]),
    ...shown,
    ...(more > 0 && shown.length > 0 ? [`and on ${grouped(more)} more`] : []),
  ];
}
