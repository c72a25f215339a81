/** Writes crawl.json, while a crawl runs and when it has ended. */
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlFileContent } from './crawl-json.ts';
import type { CrawlEnd, CrawlReport, CrawlTotals } from '../crawl.ts';
import { NOTHING_LEFT_OUT, type LeftOut } from '../summary/left-out.ts';

/** A crawl that is killed can be resumed. */
const WHILE_IT_RUNS = { ...NOTHING_LEFT_OUT, goesOn: { above: null } };

export async function writeCrawlFile(
  { folder, description, clock, notes }: CrawlContext,
  state: CrawlFileContent['state'],
  end: CrawlEnd | null,
  totals: CrawlTotals,
  left: LeftOut & Pick<CrawlReport, 'goesOn'> = WHILE_IT_RUNS,
): Promise<void> {
  const isOver = state !== 'running';
  const finished = isOver ? new Date(clock.now()).toISOString() : null;
  const content = {
    ...description,
    state,
    end,
    finished,
    totals,
    suspectedTraps: left.suspectedTraps,
    hostsGivenUp: left.hostsGivenUp,
    foldedParameters: left.foldedParameters,
    resumable: left.goesOn !== null,
    notes: notes.all,
  };
  await (isOver ? folder.writeLastCrawlFile(content) : folder.writeCrawlFile(content));
}
