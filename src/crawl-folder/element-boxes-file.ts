/** The file of the boxes of a page's elements: `{"first": [[selector, x, y, width, height], …], "<width>x<height>": …}`. */
import { z } from 'zod';
import { parsedJson, safeJson } from '../base/safe-json.ts';
import {
  BOXES_KEPT,
  SELECTOR_LENGTH,
  viewportName,
  type ElementBox,
  type PagePicture,
} from '../model/page-pictures.ts';

/** Stands for the window that a page was loaded in. */
export const FIRST_VIEWPORT = 'first';

export function boxesText(pictures: readonly PagePicture[]): string {
  const rows = pictures.map(({ viewport, boxes }, index) => [
    index === 0 ? FIRST_VIEWPORT : viewportName(viewport),
    boxes.map(({ selector, x, y, width, height }) => [selector, x, y, width, height]),
  ]);
  return safeJson(Object.fromEntries(rows));
}

const row = z.tuple([z.string().max(SELECTOR_LENGTH), z.number(), z.number(), z.number(), z.number()]);
const file = z.record(z.string(), z.array(row));

/** The boxes of one viewport; empty where the text, which somebody else may have written, has another form. */
export function readBoxes(text: string, viewport: string): readonly ElementBox[] {
  const rows = file.safeParse(parsedJson(text)).data?.[viewport] ?? [];
  return rows.slice(0, BOXES_KEPT).map(([selector, x, y, width, height]) => ({ selector, x, y, width, height }));
}
