/** axe.json: the rules of axe-core by which a crawl checked its pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parsedJson } from '../base/safe-json.ts';
import { AXE_CHOICES, type AxeCatalogue } from '../model/accessibility.ts';
import { systemCode } from './disk-error.ts';
import type { Unread } from './stored-lines.ts';

const text = z.string().max(1000);
const schema: z.ZodType<AxeCatalogue> = z.object({
  version: z.string().max(100),
  pages: z.enum(AXE_CHOICES),
  rules: z
    .array(
      z.object({
        id: z.string().regex(/^[a-z][a-z0-9-]{0,79}$/),
        help: text,
        description: text,
        helpUrl: z.url({ protocol: /^https$/ }).max(500),
        tags: z.array(z.string().max(100)).max(100),
      }),
    )
    .max(1000),
});

/** Null where the crawl checked no page, or the file is damaged. @throws the error of a file that cannot be read */
export async function readAxeCatalogue(folder: string, unread: Unread): Promise<AxeCatalogue | null> {
  const content = await readFile(join(folder, 'axe.json'), 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (content === null) return null;
  const read = schema.safeParse(parsedJson(content));
  if (!read.success) unread.damaged('axe.json');
  return read.data ?? null;
}
