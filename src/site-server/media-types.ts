import { extname } from 'node:path';

const UTF8 = '; charset=utf-8';

/** Media types by file extension (IANA registry; WHATWG MIME for scripts). What is not listed is octet-stream. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', `text/html${UTF8}`],
  ['.htm', `text/html${UTF8}`],
  ['.xhtml', `application/xhtml+xml${UTF8}`],
  ['.css', `text/css${UTF8}`],
  ['.js', `text/javascript${UTF8}`],
  ['.mjs', `text/javascript${UTF8}`],
  ['.cjs', `text/javascript${UTF8}`],
  ['.json', `application/json${UTF8}`],
  ['.map', `application/json${UTF8}`],
  ['.jsonld', `application/ld+json${UTF8}`],
  ['.webmanifest', `application/manifest+json${UTF8}`],
  ['.xml', `application/xml${UTF8}`],
  ['.rss', `application/rss+xml${UTF8}`],
  ['.atom', `application/atom+xml${UTF8}`],
  ['.svg', `image/svg+xml${UTF8}`],
  ['.txt', `text/plain${UTF8}`],
  ['.md', `text/markdown${UTF8}`],
  ['.csv', `text/csv${UTF8}`],
  ['.vtt', `text/vtt${UTF8}`],
  ['.ics', `text/calendar${UTF8}`],
  ['.wasm', 'application/wasm'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.gz', 'application/gzip'],
  ['.tgz', 'application/gzip'],
  ['.tar', 'application/x-tar'],
  ['.7z', 'application/x-7z-compressed'],
  ['.png', 'image/png'],
  ['.apng', 'image/apng'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.bmp', 'image/bmp'],
  ['.ico', 'image/x-icon'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
  ['.ttf', 'font/ttf'],
  ['.otf', 'font/otf'],
  ['.mp3', 'audio/mpeg'],
  ['.m4a', 'audio/mp4'],
  ['.ogg', 'audio/ogg'],
  ['.opus', 'audio/ogg'],
  ['.wav', 'audio/wav'],
  ['.flac', 'audio/flac'],
  ['.mp4', 'video/mp4'],
  ['.webm', 'video/webm'],
  ['.mov', 'video/quicktime'],
]);

/** The Content-Type of a file by its extension, in any case of letters; text says that it is UTF-8. */
export function mediaTypeOf(file: string): string {
  return MEDIA_TYPES.get(extname(file).toLowerCase()) ?? 'application/octet-stream';
}

/** Whether a media type is text, that is: whether placeholders may stand in it. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /[/+](?:json|xml)\b/.test(mediaType);
}
