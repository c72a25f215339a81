import { extname } from 'node:path';
import { lookup } from 'mime-types';

const UNKNOWN = 'application/octet-stream';

/** The Content-Type of a file by its extension, in any case of letters (IANA registry); text is called UTF-8. */
export function mediaTypeOf(file: string): string {
  const extension = extname(file);
  const type = (extension !== '' && lookup(extension)) || UNKNOWN;
  return isText(type) ? `${type}; charset=utf-8` : type;
}

/** Is a media type text? */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /[/+](?:json|xml)\b/.test(mediaType);
}
