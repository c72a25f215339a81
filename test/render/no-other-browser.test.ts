/** A browser that ends, and that no other one replaces: no page is to blame for it. */
import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import { launchBrowser } from '../../browsers/launch/launch-browser.ts';
import type { Browser } from '../../browsers/protocol/browser.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { milliseconds } from '../../src/base/units.ts';
import { openRenderer, RENDER_FLAGS } from '../../src/render/open-renderer.ts';
import { until } from '../support/until.ts';
import { FixtureServer } from './fixture-server.ts';
import { QUICK, visitOf } from './render-bench.ts';

const signal = new AbortController().signal;
const environment = browserEnvironment(process.env, process.platform, homedir());
/** The pauses between attempts to start a browser are short. */
const hasty: Clock = {
  ...systemClock,
  sleep: (duration, stop) => systemClock.sleep(milliseconds(duration >= 1000 ? 10 : duration), stop),
};

test.each([
  [2, 'captured'],
  [4, 'BROWSER_UNUSABLE'],
])('after %i attempts in vain: %s', async (inVain, end) => {
  await using site = await FixtureServer.open({ '/': '<title>t</title>' });
  const found = await findBrowser({ asked: null, environment }, signal);
  const browsers: Browser[] = [];
  let left = 0;
  const launch = async (stop: AbortSignal): Promise<Browser> => {
    if (left-- > 0) throw new CrawlError('BROWSER_UNUSABLE', 'the browser does not start');
    const options = {
      proxyUrl: null,
      frameControl: true,
      extraFlags: RENDER_FLAGS,
      sandbox: 'auto',
      log: silentLog,
    } as const;
    browsers.push(await launchBrowser(found, options, stop));
    return browsers.at(-1)!;
  };
  await using renderer = await openRenderer(
    { ...QUICK, workers: 1 },
    { launch, egress: null, clock: hasty, log: silentLog },
  );
  left = inVain;
  browsers[0]!.kill();
  await until(() => Promise.resolve(browsers[0]!.gone.aborted), 'the end of the browser');
  const outcome = await renderer.render(visitOf(site.url('/')), signal).then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof CrawlError ? error.code : String(error)),
  );
  expect(outcome).toBe(end);
});
