/** The program's own engine. Loaded when a command needs it, for it brings the browser's and Redis' libraries. */
import { diagnoseMachine } from '../../browsers/diagnose.ts';
import { openLog } from '../crawl/log-file.ts';
import { describeCrawl, resumeCrawl, startCrawl } from '../crawl/start-crawl.ts';
import { openSiteServer } from '../site-server/open-site-server.ts';
import type { Engine } from './engine.ts';

const STANDARD_ERROR = 2;

export const realEngine: Engine = {
  startCrawl,
  resumeCrawl,
  describeCrawl,
  openSiteServer,
  diagnoseMachine,
  openLog: (level) => openLog(STANDARD_ERROR, level),
};
