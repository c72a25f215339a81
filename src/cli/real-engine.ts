/**
 * The program's own engine. Each part is loaded when it is called, for they bring the browser's and Redis' libraries: a worker that waits for
 * its turn needs few of them.
 */
import { openLog } from '../crawl/folder/log-file.ts';
import type { Engine } from './engine.ts';

const STANDARD_ERROR = 2;

export const realEngine: Engine = {
  startCrawl: async (...given) => (await import('../crawl/start-crawl.ts')).startCrawl(...given),
  resumeCrawl: async (...given) => (await import('../crawl/start-crawl.ts')).resumeCrawl(...given),
  forecastCrawl: async (...given) => (await import('../crawl/forecast/forecast-crawl.ts')).forecastCrawl(...given),
  isRecordedCrawl: async (...given) => (await import('../replay/open-replay-server.ts')).isRecordedCrawl(...given),
  openReplayServer: async (...given) => (await import('../replay/open-replay-server.ts')).openReplayServer(...given),
  openSiteServer: async (...given) => (await import('../site-server/open-site-server.ts')).openSiteServer(...given),
  diagnoseMachine: async (...given) => (await import('../crawl/diagnose.ts')).diagnose(...given),
  signInByHand: async (...given) => (await import('../crawl/sign-in/sign-in-by-hand.ts')).signInByHand(...given),
  startWorker: async (...given) => (await import('../crawl/fleet/start-worker.ts')).startWorker(...given),
  openLog: (level, secrets) => openLog(STANDARD_ERROR, level, secrets),
};
