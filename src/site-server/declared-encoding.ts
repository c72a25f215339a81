import { open } from 'node:fs/promises';

/** Bytes at the beginning of a document that hold its declaration (HTML Standard, 4.2.5.4). */
const PRESCAN = 1024;
/** Documents that may declare their encoding themselves. */
const DECLARES = /^text\/(?:html|css)\b|[/+]xml\b/;

/**
 * Does a file declare an encoding other than UTF-8: in a meta element, in its XML declaration, or by `@charset`? A server's word would
 * count more than that of the file, so none is given then.
 * @param mediaType of the file
 */
export async function declaresOtherEncoding(path: string, mediaType: string): Promise<boolean> {
  if (!DECLARES.test(mediaType)) return false;
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PRESCAN), 0, PRESCAN, 0);
    const label = declaredLabel(buffer.toString('latin1', 0, bytesRead));
    return label !== null && !/^utf-?8$/i.test(label);
  } finally {
    await file.close();
  }
}

function declaredLabel(beginning: string): string | null {
  const ahead = /^@charset "([^"]*)";|^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(beginning);
  if (ahead !== null) return ahead[1] ?? ahead[2] ?? null;
  const text = beginning.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  for (const [tag] of text.matchAll(/<meta[\s/][^>]*>/gi)) {
    const [, label] = /[\s"';]charset\s*=\s*["']?([^\s;"'>]+)/i.exec(tag) ?? [];
    if (label !== undefined) return label;
  }
  return null;
}
