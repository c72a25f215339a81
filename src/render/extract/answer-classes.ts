/** Classes of the answers to a page's requests that may hold links. */
import type { WatchedRequest } from '../page/watched-request.ts';

export const CLASSES = ['json', 'script', 'sheet', 'html', 'document'] as const;
export type BodyClass = (typeof CLASSES)[number];

/** Is the answer a success, or a 304 for one that the browser's cache holds? */
export function isGood({ status }: WatchedRequest): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 304);
}

export function isRedirect({ status }: WatchedRequest): boolean {
  return status !== null && status >= 300 && status < 400 && status !== 304;
}

/** Null for an answer that holds no links. */
export function bodyClassOf(request: WatchedRequest, mainFrame: string): BodyClass | null {
  const { type, method, contentType, frameId, url } = request;
  if (!isGood(request) || frameId === null || contentType === null) return null;
  if (type === 'script' && /(?:java|ecma)script$/.test(contentType)) return 'script';
  if (type === 'document' && frameId === mainFrame && contentType === 'text/html') return 'document';
  if ((type === 'fetch' || type === 'xhr') && /[/+](?:x-)?(?:json|ndjson)$/.test(contentType)) return 'json';
  if ((type === 'fetch' || type === 'xhr') && method === 'GET' && contentType === 'text/html') return 'html';
  return type === 'stylesheet' && /^https?:/.test(url) && !contentType.includes('html') ? 'sheet' : null;
}
