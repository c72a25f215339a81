/** The program's own engine. Loaded when a command needs it, for it brings the browser's and Redis' libraries. */
import { diagnoseMachine } from '../../browsers/diagnose.ts';
import { describeCrawl } from '../crawl/describe-crawl.ts';
import { resumeCrawl, startCrawl } from '../crawl/start-crawl.ts';
import { openSiteServer } from '../site-server/open-site-server.ts';
import type { Engine } from './engine.ts';

export const realEngine: Engine = { startCrawl, resumeCrawl, describeCrawl, openSiteServer, diagnoseMachine };
