import { sizeWords } from '../../base/size-words.ts';
import type { PageRule } from '../../model/audit-rule.ts';

/** Bytes over the wire, as Lighthouse has it: total-byte-weight fails from 5,000 KiB on. */
const HEAVY = 5000 * 1024;

export const heavyPage: PageRule = {
  id: 'heavy-page',
  severity: 'warning',
  category: 'weight',
  about: 'layout',
  needsDetails: true,
  title: 'Page that loads very much',
  why: 'On a mobile network it takes long, and costs the reader money.',
  fix: 'Make its largest files smaller, and load later what is not seen at once.',
  source: {
    name: 'Lighthouse: enormous network payloads',
    url: 'https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight',
  },
  *checkPage({ details }) {
    const behaviour = details?.behaviour ?? null;
    if (behaviour === null) return;
    const wire = Object.values(behaviour.requests).reduce((sum, each) => sum + each.wire, 0);
    if (wire <= HEAVY) return;
    const [largest] = behaviour.largest;
    const most = largest === undefined ? '' : `; the largest file is ${largest.url}`;
    yield {
      message: `The page loads ${sizeWords(wire)}${most}`,
      ...(largest === undefined ? {} : { evidence: { request: `GET ${largest.url}` } }),
    };
  },
};
