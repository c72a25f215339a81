/** The program's own engine. Loaded when a command needs it, for it brings the browser's and Redis' libraries. */
import { diagnose } from '../crawl/diagnose.ts';
import { forecastCrawl } from '../crawl/forecast/forecast-crawl.ts';
import { startWorker } from '../crawl/fleet/start-worker.ts';
import { openLog } from '../crawl/folder/log-file.ts';
import { signInByHand } from '../crawl/sign-in/sign-in-by-hand.ts';
import { resumeCrawl, startCrawl } from '../crawl/start-crawl.ts';
import { isRecordedCrawl, openReplayServer } from '../replay/open-replay-server.ts';
import { openSiteServer } from '../site-server/open-site-server.ts';
import type { Engine } from './engine.ts';

const STANDARD_ERROR = 2;

export const realEngine: Engine = {
  startCrawl,
  resumeCrawl,
  forecastCrawl,
  isRecordedCrawl,
  openReplayServer,
  openSiteServer,
  diagnoseMachine: diagnose,
  signInByHand: (how, environment, signal) => signInByHand(how, environment, signal),
  startWorker,
  openLog: (level, secrets) => openLog(STANDARD_ERROR, level, secrets),
};
