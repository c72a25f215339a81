/** Shows a running crawl until its end. */
import type { Clock } from '../base/clock.ts';
import { seconds, milliseconds } from '../base/units.ts';
import type { Crawl, CrawlReport } from '../crawl/crawl.ts';
import { eventLine, type Loudness } from './text/event-line.ts';
import { PLAIN } from './terminal/paint.ts';
import { progressLine } from './text/progress-line.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Often enough to look alive, seldom enough to cost nothing. */
const LIVE_PERIOD = milliseconds(200);
/** The period where lines stay, in a log of a build. */
const LINE_PERIOD = seconds(10);
/** Width of progress lines where there is no terminal: nothing is left out. */
const LOG_WIDTH = 200;

interface View {
  readonly loudness: Loudness;
  readonly showsProgress: boolean;
}

/** Shows events and progress as the view asks, and waits for the report. The live line is gone afterwards. */
export async function watchCrawl(crawl: Crawl, terminal: Terminal, view: View, clock: Clock): Promise<CrawlReport> {
  const ended = new AbortController();
  const ticking = view.showsProgress ? showProgress(crawl, terminal, clock, ended.signal) : Promise.resolve();
  try {
    for await (const event of crawl) {
      const line = eventLine(event, view.loudness, terminal.paint);
      if (line !== null) terminal.print(line);
    }
    return await crawl.report();
  } finally {
    ended.abort();
    await ticking;
    terminal.clearLive();
  }
}

async function showProgress(crawl: Crawl, terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (terminal.isLive) terminal.showLive(progressLine(crawl.progress(), terminal.width - 1, terminal.paint));
    try {
      await clock.sleep(terminal.isLive ? LIVE_PERIOD : LINE_PERIOD, signal);
    } catch {
      return; // the crawl has ended
    }
    if (!terminal.isLive) terminal.print(progressLine(crawl.progress(), LOG_WIDTH, PLAIN));
  }
}
