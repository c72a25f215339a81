import { edgeLabel, type EdgeFacts, type EdgeLabel } from '../core/graph/edge-label.ts';
import { leadsToPage } from '../core/links/page-link.ts';

/** The label of the edge that one line of links.jsonl makes. */
export function labelOfLink({ kind, confidence, context, rel, to }: Omit<EdgeFacts, 'leadsToPage'>): EdgeLabel {
  return edgeLabel({ kind, confidence, context, rel, to, leadsToPage: leadsToPage({ kind, rel, context }) });
}
