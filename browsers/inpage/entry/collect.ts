/** Collects all that is wanted of one frame in one evaluation: the round trip of an answer costs more than its size. */
import type { CollectInput, FrameCollection } from '../../../src/model/page-facts.ts';
import { collectFacts } from '../collect-facts.ts';
import { collectLinks } from '../collect-links.ts';
import { collectHtml, collectText } from '../texts/collect-text.ts';
import { closedRoots } from '../open-roots.ts';
import { recordSoFar } from '../record-navigations.ts';
import { baseUriOf } from '../safe-dom.ts';
import { canScroll } from '../scroll.ts';
import { tagMarks } from '../tag-marks.ts';

export function run(input: CollectInput): string {
  const { list, shadowRoots, elements, lacksPlace } = collectLinks(input);
  // whose links the renderer reads
  const trees = [...shadowRoots, ...closedRoots()];
  const facts = collectFacts(trees);
  const mayScroll = input.scrolls === 'always' || (input.scrolls === 'scripted' && facts.scripted);
  const collection: FrameCollection = {
    facts,
    base: baseUriOf(document).slice(0, 8192),
    links: list,
    tags: elements + [document, ...shadowRoots].reduce((sum, root) => sum + tagMarks(root), 0),
    scrolls: mayScroll && canScroll(),
    navigations: recordSoFar(lacksPlace),
    html: input.html > 0 ? collectHtml(trees, input.html) : null,
    text: input.text > 0 ? collectText(trees, input.text) : null,
  };
  return JSON.stringify(collection);
}
