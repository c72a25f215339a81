/** Takes the pictures of a page, one in each requested window, with the places of its elements where every pixel counts. */
import { z } from 'zod';
import {
  BOXES_KEPT,
  SELECTOR_LENGTH,
  type ElementBox,
  type PagePicture,
  type ViewportSize,
} from '../../model/page-pictures.ts';
import { SOURCE as ELEMENT_BOXES } from '../generated/element-boxes.ts';
import { GROWN_TIME } from '../limits/reading-limits.ts';
import { runInWorld } from '../page/isolated-world.ts';
import type { WarmPage } from '../page/warm-page.ts';
import { mayWait, resize, takeScreenshot, type ScreenshotOptions } from './screenshot.ts';

interface PicturesOptions extends Omit<ScreenshotOptions, 'beside'> {
  /** Further windows. */
  readonly viewports: readonly ViewportSize[];
}

interface PicturesTaken {
  /** Empty where none is wanted, or the page gives none. The first is that of the usual window, to which the page returns. */
  readonly pictures: readonly PagePicture[];
  /** Did the page fail in a further window? Then it may hang. */
  readonly spoiled: boolean;
}

/** @throws where the page gives no picture of the usual window */
export async function takePictures(
  page: WarmPage,
  options: PicturesOptions,
  signal: AbortSignal,
): Promise<PicturesTaken> {
  const first = await pictureIn(page, options, signal);
  if (first === null || options.viewports.length === 0)
    return { pictures: first === null ? [] : [first], spoiled: false };
  const pictures = [first];
  try {
    await addFurther(pictures, page, options, signal);
    return { pictures, spoiled: false };
  } catch {
    // a page may hang in one window and not in the others
    if (!page.gone.aborted) signal.throwIfAborted();
    return { pictures, spoiled: true };
  }
}

async function addFurther(
  pictures: PagePicture[],
  page: WarmPage,
  { viewports, ...options }: PicturesOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const viewport of viewports) {
      await resize(page, viewport, signal);
      if (mayWait(options)) await options.idleWait?.more(GROWN_TIME, signal);
      const next = await pictureIn(page, { ...options, viewport }, signal);
      if (next !== null) pictures.push(next);
    }
  } finally {
    if (!page.gone.aborted) await resize(page, options.viewport, signal);
  }
}

async function pictureIn(page: WarmPage, options: ScreenshotOptions, signal: AbortSignal): Promise<PagePicture | null> {
  let boxes: readonly ElementBox[] = [];
  const beside = async (): Promise<void> => {
    if (page.deterministic) boxes = await boxesOf(page, signal);
  };
  const picture = await takeScreenshot(page, { ...options, beside }, signal);
  const { width, height } = options.viewport;
  return picture === null ? null : { viewport: { width, height }, picture, boxes };
}

const pixels = z.number().min(-1e6).max(1e6);
const boxesShape: z.ZodType<ElementBox[]> = z.array(
  z.object({
    selector: z.string().transform((text) => text.slice(0, SELECTOR_LENGTH)),
    x: pixels,
    y: pixels,
    width: pixels,
    height: pixels,
  }),
);

function boxesOf(page: WarmPage, signal: AbortSignal): Promise<readonly ElementBox[]> {
  const { session, frameId } = page;
  const parse = (answer: unknown): readonly ElementBox[] | null =>
    boxesShape.safeParse(answer).data?.slice(0, BOXES_KEPT) ?? null;
  return runInWorld(page, { session, frameId, url: null }, { source: ELEMENT_BOXES, input: null, parse }, signal);
}
