// Opens the renderer of a build for benchmarks: without a crawl around it, with the default options of a crawl.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const never = new AbortController().signal;

const SETTINGS = {
  workers: 1,
  userAgent: 'OrbweaverBench/1.0',
  viewport: { width: 1280, height: 800 },
  settle: { kind: 'auto' },
  settleTimeout: 15_000,
  pageTimeout: 60_000,
  waitFor: null,
  explore: 'scroll',
  block: [],
  selectLinks: [],
  screenshot: 'none',
  extraHeaders: [],
};

/** Imports modules of a build by their paths in it. */
export const moduleOf = (build, path) => import(pathToFileURL(resolve(build, path)).href);

/**
 * @param build its folder
 * @param how settings: differences from the defaults; launch: differing launch options; egress: null for none; wrap: called for each browser
 */
export async function openBenchRenderer(build, { settings = {}, launch = {}, egress = null, wrap = (one) => one }) {
  const { openRenderer, RENDER_FLAGS } = await moduleOf(build, 'src/render/open-renderer.js');
  const { systemClock } = await moduleOf(build, 'src/base/clock.js');
  const { silentLog } = await moduleOf(build, 'src/base/log.js');
  const { findBrowser, browserEnvironment } = await moduleOf(build, 'browsers/launch/find-browser.js');
  const { launchBrowser } = await moduleOf(build, 'browsers/launch/launch-browser.js');
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, never);
  const { flags = [], ...others } = launch;
  const launchOptions = {
    proxyUrl: egress?.proxyUrl ?? null,
    proxyCredential: egress?.proxyCredential ?? null,
    frameControl: true,
    extraFlags: [...RENDER_FLAGS, ...flags],
    sandbox: egress === null ? 'off' : 'auto',
    log: silentLog,
    ...others,
  };
  return openRenderer(
    { ...SETTINGS, ...settings },
    {
      launch: async (stop) => wrap(await launchBrowser(found, launchOptions, stop)),
      egress,
      clock: systemClock,
      log: silentLog,
    },
  );
}

/** Returns a function that makes visits of URLs, without a lease. */
export async function visitMaker(build) {
  const { canonicalUrl } = await moduleOf(build, 'src/model/url/canonical-url.js');
  const { hostKeyOf } = await moduleOf(build, 'src/model/url/host-key.js');
  let token = 0;
  return (text) => {
    const url = canonicalUrl(text);
    const leasedAt = Date.now();
    return {
      url,
      host: hostKeyOf(url),
      depth: 0,
      redirects: 0,
      hops: 0,
      referrer: null,
      kind: 'seed',
      confidence: 'high',
      attempt: 1,
      deaths: 0,
      firstOfHost: false,
      token: ++token,
      leasedAt,
      leasedUntil: leasedAt + 600_000,
    };
  };
}
