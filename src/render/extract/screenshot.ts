/**
 * Takes the picture of a page, last in a visit, as it changes the page (animations end, the window grows). Missing parts are awaited
 * within bounds: fonts, and pictures that are loaded only when they come into view.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Milliseconds } from '../../base/units.ts';
import type { PictureInput, PictureState } from '../../model/page-actions.ts';
import { SOURCE as PICTURE_STATE } from '../generated/picture-state.ts';
import { FRAME_STEP } from '../limits/idle-limits.ts';
import type { IdleWait } from '../idle/idle-wait.ts';
import {
  EQUAL_TRIES,
  GROWN_TIME,
  GROWTHS,
  MISSING_LIMIT,
  MISSING_ROUNDS,
  MISSING_ROUND_TIME,
  PICTURE_FRAMES,
  PICTURE_LIMIT,
} from '../limits/reading-limits.ts';
import { SCREENSHOT_HEIGHT_LIMIT } from '../page-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import type { RenderOptions } from '../renderer.ts';

const FORMAT = { format: 'jpeg', quality: 60 } as const;
const LOSSLESS = { format: 'png' } as const;

export interface ScreenshotOptions extends Pick<RenderOptions, 'screenshot' | 'viewport'> {
  /** Left out: JPEG. */
  readonly format?: 'png';
  readonly clock: Clock;
  /** Lets the page run on; null where it cannot any more. */
  readonly idleWait: IdleWait | null;
  /** End of the visit's time for the picture, on the monotonic clock. */
  readonly until: Milliseconds;
  /** Called after the picture, while the page is as it was drawn. */
  readonly beside?: () => Promise<void>;
}

/** Null where none is wanted, or the page gives none. */
export async function takeScreenshot(
  page: WarmPage,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { screenshot, viewport } = options;
  if (screenshot === 'none') return null;
  if (screenshot === 'viewport') {
    await completed(page, viewport.height, options, signal);
    return await picture(page, options, signal);
  }
  let resized = false;
  try {
    let height = viewport.height;
    for (let growth = 0; growth < GROWTHS; growth++) {
      const now = await pageHeight(page, height, signal);
      if (now === height) break;
      resized = true;
      height = now;
      await resize(page, { ...viewport, height }, signal);
      if (mayWait(options)) await options.idleWait?.more(GROWN_TIME, signal);
    }
    await completed(page, height, options, signal);
    return await picture(page, options, signal);
  } finally {
    if (resized && !page.gone.aborted) await resize(page, viewport, signal);
  }
}

const stateShape: z.ZodType<PictureState> = z.object({
  pictures: z.number().nonnegative(),
  fonts: z.boolean(),
  videos: z.number().nonnegative(),
});

/** Ends the animations, and waits for the missing parts. */
async function completed(
  page: WarmPage,
  bottom: number,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, idleWait } = options;
  const end = Math.min(options.until, clock.monotonic() + MISSING_LIMIT);
  for (let round = 0; round < MISSING_ROUNDS; round++) {
    const { pictures, fonts, videos } = await stateOf(page, { bottom, still: page.deterministic }, signal);
    if ((pictures + videos === 0 && !fonts) || clock.monotonic() >= end || !mayWait(options)) return;
    await idleWait?.more(MISSING_ROUND_TIME, signal);
  }
}

/** Is there time to wait? A clock that is given time when there is none left spoils its page. */
export function mayWait({ idleWait, clock, until }: Pick<ScreenshotOptions, 'idleWait' | 'clock' | 'until'>): boolean {
  return idleWait !== null && !idleWait.spoiled && clock.monotonic() < until;
}

function stateOf(page: WarmPage, input: PictureInput, signal: AbortSignal): Promise<PictureState> {
  const { session, frameId } = page;
  const parse = (answer: unknown): PictureState | null => stateShape.safeParse(answer).data ?? null;
  return runInWorld(page, { session, frameId, url: null }, { source: PICTURE_STATE, input, parse }, signal);
}

async function pageHeight(page: WarmPage, least: number, signal: AbortSignal): Promise<number> {
  const { cssContentSize } = await page.within(page.session.send('Page.getLayoutMetrics'), 'the page size', signal);
  return Math.min(SCREENSHOT_HEIGHT_LIMIT, Math.max(least, Math.ceil(cssContentSize.height)));
}

export async function resize(
  page: WarmPage,
  size: { readonly width: number; readonly height: number },
  signal: AbortSignal,
): Promise<void> {
  const { width, height } = size;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await page.within(page.session.send('Emulation.setDeviceMetricsOverride', metrics), 'the window size', signal);
}

async function picture(page: WarmPage, options: ScreenshotOptions, signal: AbortSignal): Promise<Uint8Array> {
  const format = options.format === 'png' || page.deterministic ? LOSSLESS : FORMAT;
  let last = await encodedPicture(page, format, signal);
  for (let again = 0; page.deterministic && again < EQUAL_TRIES; again++) {
    const next = await encodedPicture(page, format, signal);
    if (next === last) break;
    last = next; // content driven by endless frames has had the same number of them each time
  }
  await options.beside?.();
  return Buffer.from(last, 'base64');
}

async function encodedPicture(
  page: WarmPage,
  format: typeof FORMAT | typeof LOSSLESS,
  signal: AbortSignal,
): Promise<string> {
  const { session, browser } = page;
  if (!page.frameControl) {
    const { data } = await page.within(
      session.send('Page.captureScreenshot', format),
      'a picture',
      signal,
      PICTURE_LIMIT,
    );
    return data;
  }
  for (let frame = 0; frame < PICTURE_FRAMES; frame++) {
    const ask = (): ReturnType<typeof session.send<'HeadlessExperimental.beginFrame'>> =>
      session.send('HeadlessExperimental.beginFrame', { screenshot: format, ...page.frames.next(FRAME_STEP) });
    const drawn = await browser.draw(ask, PICTURE_LIMIT, signal);
    if (drawn === null) break;
    if (drawn.screenshotData) return drawn.screenshotData;
  }
  throw new Error('the frames had no picture');
}
