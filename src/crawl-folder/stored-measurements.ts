/** measurements.json: how pages were painted when the crawl had ended. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import type { Measurements, PaintMetrics } from '../model/paint.ts';
import { systemCode } from './disk-error.ts';
import type { Unread } from './stored-lines.ts';

const figure = z.number().min(0).max(1e9);
const text = z.string().max(1000);
const metrics: z.ZodType<PaintMetrics> = z.object({
  ...{ fcp: figure.nullable(), lcp: figure.nullable(), cls: figure, tbt: figure, longTasks: figure },
});
const schema: z.ZodType<Measurements> = z.object({
  loads: figure,
  machine: z.object({ cores: figure, load: z.tuple([figure, figure]), browser: text, viewport: text }),
  pages: z
    .array(
      z.object({
        ...{ url: z.string(), alike: figure, loads: z.array(metrics).max(100), median: metrics.nullable() },
        ...{ largest: text, moved: text, failure: text.nullable() },
      }),
    )
    .max(10_000),
  left: figure,
});

/** Null where nothing was measured, or the file is damaged. @throws the error of a file that cannot be read */
export async function readMeasurements(folder: string, unread: Unread): Promise<Measurements | null> {
  const content = await readFile(join(folder, 'measurements.json'), 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (content === null) return null;
  const read = schema.safeParse(parsedJson(content));
  if (!read.success) unread.damaged('measurements.json');
  return read.data ?? null;
}
