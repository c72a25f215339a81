import type { ScrollStep } from '../../src/model/page-facts.ts';
import { scrollHeightOf, scrollingElementOf, select } from './safe-dom.ts';

/** Scrolls the page to its end, and tells what there is to compare with the step before. */
export function scrollToEnd(): ScrollStep {
  const scroller = scrollingElementOf(document);
  const height = scroller === null ? 0 : scrollHeightOf(scroller);
  const links = select(document, 'a[href],area[href]').length;
  const scrollable = height > innerHeight + 2;
  if (scrollable) scrollTo({ left: 0, top: height, behavior: 'instant' });
  return { height, links, nodes: select(document, '*').length, scrollable };
}

export function scrollToStart(): void {
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
}
