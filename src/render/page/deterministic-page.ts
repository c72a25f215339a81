/**
 * Settings by which pages are loaded alike each time (`--deterministic`; design/rendering, "The same each time").
 * The time of day comes from the virtual clock, which begins at {@link CLOCK_START} in every page.
 */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { epochMs, type EpochMs } from '../../base/units.ts';
import type { DeterministicInput } from '../../model/page-actions.ts';
import { SOURCE as DETERMINISTIC } from '../generated/deterministic.ts';

/** Noon of an ordinary Wednesday: far from the borders of days, weeks, months, and of summer time. */
export const CLOCK_START: EpochMs = epochMs(Date.UTC(2026, 0, 14, 12));

/** Draws text independently of the screen, and moving pictures at their beginning (Chromium's imageAnimationPolicy 2). */
export const DETERMINISTIC_FLAGS: readonly string[] = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-partial-raster',
  '--blink-settings=imageAnimationPolicy=2',
];

/** Processors that are reported to pages: some make as many workers. */
const PROCESSORS = 4;

const SCRIPT = scriptFor({ start: CLOCK_START });
const ignore = (): void => {}; // it has gone by itself

/** Called before anything is loaded into the page. */
export async function openDeterministic(session: DevToolsSession): Promise<void> {
  await Promise.all([
    session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
    session.send('Emulation.setScrollbarsHidden', { hidden: true }),
    session.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: PROCESSORS }).catch(ignore),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: SCRIPT, runImmediately: true }),
  ]);
}

/** Called for a frame in a process of its own. */
export function openDeterministicFrame(session: DevToolsSession): void {
  session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }).catch(ignore);
  session.send('Page.addScriptToEvaluateOnNewDocument', { source: SCRIPT, runImmediately: true }).catch(ignore);
}

/**
 * Called before the worker runs.
 * @param url of the worker; its script may not ask for it yet: a worker that has not begun crashes over that (seen in Chromium 156)
 */
export function openDeterministicWorker(session: DevToolsSession, url: string): void {
  const address = parsedUrl(url);
  const isBlob = address === null || address.protocol === 'blob:';
  const worker = isBlob ? 'blob:' : `${address.pathname}${address.search}`;
  session.send('Runtime.evaluate', { expression: scriptFor({ start: CLOCK_START, worker }) }).catch(ignore);
}

function scriptFor(input: DeterministicInput): string {
  return `(${DETERMINISTIC})(${JSON.stringify(input)})`;
}
