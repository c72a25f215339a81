/** The picture of a page, taken last in a visit: it changes the page (animations end, the window grows). */
import { seconds, type Milliseconds } from '../base/units.ts';
import { SCREENSHOT_HEIGHT_LIMIT } from './page-limits.ts';
import type { RenderOptions } from './renderer.ts';
import type { WarmPage } from './warm-page.ts';

const FORMAT = { format: 'jpeg', quality: 60 } as const;
/** 99 ms for a tall page (render-recipe 11); the rest is for machines under load. */
const PICTURE_LIMIT: Milliseconds = seconds(8);

export type ScreenshotOptions = Pick<RenderOptions, 'screenshot' | 'viewport'>;

/** Null where none is wanted, or the page gives none. */
export async function takeScreenshot(
  page: WarmPage,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { screenshot, viewport } = options;
  if (screenshot === 'none') return null;
  const { session } = page;
  const height = screenshot === 'full-page' ? await pageHeight(page, viewport.height, signal) : viewport.height;
  // animations go by the time of frames, of which a controlled page has none: they jump to their end
  await page.within(session.send('Animation.enable'), 'the animations', signal);
  await page.within(session.send('Animation.setPlaybackRate', { playbackRate: 1e6 }), 'the animations', signal);
  try {
    if (height !== viewport.height) await resize(page, { ...viewport, height }, signal);
    return Buffer.from(await picture(page, signal), 'base64');
  } finally {
    if (!page.gone.aborted) {
      if (height !== viewport.height) await resize(page, viewport, signal);
      await page.within(session.send('Animation.disable'), 'the animations', signal);
    }
  }
}

async function pageHeight(page: WarmPage, least: number, signal: AbortSignal): Promise<number> {
  const { cssContentSize } = await page.within(page.session.send('Page.getLayoutMetrics'), 'the page size', signal);
  return Math.min(SCREENSHOT_HEIGHT_LIMIT, Math.max(least, Math.ceil(cssContentSize.height)));
}

async function resize(
  page: WarmPage,
  size: { readonly width: number; readonly height: number },
  signal: AbortSignal,
): Promise<void> {
  const { width, height } = size;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await page.within(page.session.send('Emulation.setDeviceMetricsOverride', metrics), 'the window size', signal);
}

async function picture(page: WarmPage, signal: AbortSignal): Promise<string> {
  const { session, browser } = page;
  if (!page.frameControl) {
    const { data } = await page.within(
      session.send('Page.captureScreenshot', FORMAT),
      'a picture',
      signal,
      PICTURE_LIMIT,
    );
    return data;
  }
  return browser.frames.run(async () => {
    try {
      const frame = (): ReturnType<typeof session.send<'HeadlessExperimental.beginFrame'>> =>
        session.send('HeadlessExperimental.beginFrame', { screenshot: FORMAT });
      const { screenshotData = '' } = await page.within(frame(), 'a picture', signal, PICTURE_LIMIT);
      return screenshotData;
    } catch (error) {
      if (!page.gone.aborted) browser.misbehaved('a picture was not drawn');
      throw error;
    }
  });
}
