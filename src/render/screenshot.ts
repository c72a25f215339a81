/** The picture of a page, taken last in a visit: it changes the page (animations end, the window grows). */
import { seconds, type Milliseconds } from '../base/units.ts';
import { FRAME_STEP } from './frame-clock.ts';
import { SOURCE as FINISH_ANIMATIONS } from './generated/finish-animations.ts';
import { runInWorld } from './isolated-world.ts';
import { SCREENSHOT_HEIGHT_LIMIT } from './page-limits.ts';
import type { RenderOptions } from './renderer.ts';
import type { WarmPage } from './warm-page.ts';

const FORMAT = { format: 'jpeg', quality: 60 } as const;
/** 99 ms for a tall page (render-recipe 11); the rest is for machines under load. */
const PICTURE_LIMIT: Milliseconds = seconds(8);

/** The first frame after a change of size may bring no picture. */
const FRAMES = 4;

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
  const finish = {
    source: FINISH_ANIMATIONS,
    input: null,
    parse: (answer: unknown) => (typeof answer === 'number' ? answer : null),
  };
  await runInWorld(page, { session, frameId: page.frameId, url: null }, finish, signal);
  if (height !== viewport.height) await resize(page, { ...viewport, height }, signal);
  try {
    return Buffer.from(await picture(page, signal), 'base64');
  } finally {
    if (height !== viewport.height && !page.gone.aborted) await resize(page, viewport, signal);
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
  for (let frame = 0; frame < FRAMES; frame++) {
    const drawn = await browser.draw(async () => {
      const asked = session.send('HeadlessExperimental.beginFrame', {
        screenshot: FORMAT,
        ...page.frames.next(FRAME_STEP),
      });
      return page.within(asked, 'a picture', signal, PICTURE_LIMIT);
    });
    if (drawn === null) break;
    if (drawn.screenshotData) return drawn.screenshotData;
  }
  throw new Error('the frames had no picture');
}
