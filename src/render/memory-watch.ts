/** Looks after the memory of a browser's processes: typed-array bombs take 0.5 GiB a second and crash nothing. */
import { readFile } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { bytes, seconds, type Bytes, type Milliseconds } from '../base/units.ts';
import type { LiveBrowser } from './live-browser.ts';
import { BROWSER_MEMORY, BROWSER_MEMORY_KILL } from './page-limits.ts';

const INTERVAL: Milliseconds = seconds(1);
/** Of Linux on all machines that Chromium is packed for, but those with larger pages, where the figure is a lower bound. */
const MEMORY_PAGE = 4096;

/** Retires a browser that has grown, kills one that is growing out of bounds. Ends with the browser, or by the signal. */
export async function watchMemory(browser: LiveBrowser, clock: Clock, signal: AbortSignal): Promise<void> {
  if (process.platform !== 'linux' || browser.pid === null) return;
  while (!signal.aborted && browser.alive) {
    const used = await residentMemory(browser).catch(() => bytes(0)); // it has just ended
    if (used > BROWSER_MEMORY_KILL) browser.kill();
    else if (used > BROWSER_MEMORY) browser.misbehaved('its processes have grown too large');
    await clock.sleep(INTERVAL, signal).catch(() => {});
  }
}

/** What its processes hold for themselves, shared pages left out. */
async function residentMemory(browser: LiveBrowser): Promise<Bytes> {
  const sizes = await Promise.all((await browser.processes()).map(ownMemory));
  return bytes(sizes.reduce((sum, size) => sum + size, 0));
}

/** /proc/pid/statm: size, resident, shared …, in pages. 0 where the process has gone. */
async function ownMemory(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ').map(Number);
  return Math.max(0, (fields[1] ?? 0) - (fields[2] ?? 0)) * MEMORY_PAGE;
}
