import { parsedUrl } from '../../base/parsed-url.ts';

/** Name and port; empty if the text is not a URL. */
export function hostOf(url: string): string {
  return parsedUrl(url)?.host ?? '';
}

/** Is the host a public name, and not a local machine or an IP address? */
export function isPublicHost(url: string): boolean {
  const name = parsedUrl(url)?.hostname ?? '';
  return name.includes('.') && !/^[\d.]+$|^\[|\.(?:localhost|local|internal)$/.test(name);
}
