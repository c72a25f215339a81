/** The content of an answer with the addresses at which a folder is served. */
import { readFile } from 'node:fs/promises';

import type { Content } from './content.ts';
import { REWRITTEN, rewrittenBody } from './rewritten-body.ts';

/** @param served replaces the addresses in a text. A content without any stays the file that it is, to be streamed. */
export async function rewrittenContent(content: Content, served: (text: string) => string): Promise<Content> {
  const { headers, source } = content;
  if (!Buffer.isBuffer(source) && source.stats.size > REWRITTEN) return content;
  const type = headers['content-type'];
  const body = Buffer.isBuffer(source) ? source : await readFile(source.path);
  const rewritten = Buffer.from(await rewrittenBody(body, typeof type === 'string' ? type : '', served));
  return rewritten.equals(body) ? content : { ...content, source: rewritten };
}
