import { parsedUrl } from '../../base/parsed-url.ts';

/** Name and port; empty where a text is no URL. */
export function hostOf(url: string): string {
  return parsedUrl(url)?.host ?? '';
}

/** Is it a name that is published, and not a machine or an address? */
export function isPublicHost(url: string): boolean {
  const name = parsedUrl(url)?.hostname ?? '';
  return name.includes('.') && !/^[\d.]+$|^\[|\.(?:localhost|local|internal)$/.test(name);
}
