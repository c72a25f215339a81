import { edgeLabel, type EdgeFacts, type EdgeLabel } from '../core/graph/edge-label.ts';
import { leadsToPage } from '../core/links/page-link.ts';

/**
 * The label of the edge that one line of links.jsonl makes.
 * @param isPage has the URL with a fragment been captured as a page of its own?
 */
export function labelOfLink(line: Omit<EdgeFacts, 'leadsToPage'>, isPage: (url: string) => boolean): EdgeLabel {
  const { kind, context, rel, to } = line;
  const confidence = isAnchor(line) && to.includes('#') && isPage(to) ? 'high' : line.confidence;
  return edgeLabel({ kind, confidence, context, rel, to, leadsToPage: leadsToPage({ kind, rel, context }) });
}

/** An anchor to `#name` is speculative as long as its fragment may be no route; where it was one, a reader can follow it. */
function isAnchor({ kind, context }: Pick<EdgeFacts, 'kind' | 'context'>): boolean {
  return (kind === 'anchor' || kind === 'area') && /^[\w:]+\/@(?:\w+:)?href$/.test(context);
}
