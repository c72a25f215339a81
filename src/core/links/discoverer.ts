import type { FileSource } from '../../model/file-source.ts';
import type { FoundLink } from '../../model/link.ts';

/**
 * Finds links in files of one kind. Pure: the same file gives the same links. A discoverer that throws has found nothing, and the log says so.
 * @example
 * const opml: LinkDiscoverer = {
 *   name: 'opml',
 *   accepts: (contentType) => contentType === 'text/x-opml',
 *   discover: ({ text, url }) => [...text.matchAll(/xmlUrl="([^"]+)"/g)].map(([, href = '']) => fileLink(href, url, { kind: 'feed', context: 'opml' })),
 * };
 */
export interface LinkDiscoverer {
  /** Unique among the discoverers of a crawl; for the log. */
  readonly name: string;
  /** @param contentType as in {@link FileSource} */
  accepts(contentType: string, url: string): boolean;
  discover(file: FileSource): readonly FoundLink[];
}

/** A link that stands in a file. @param url of the file: the reference is relative to it */
export function fileLink(
  href: string,
  url: string,
  how: Pick<FoundLink, 'kind' | 'context'> & Partial<Pick<FoundLink, 'confidence' | 'text' | 'rel'>>,
): FoundLink {
  const { kind, context, confidence = 'high', text = '', rel = [] } = how;
  return { href, base: url, resolved: null, kind, confidence, context, stage: 'load', frame: null, text, rel };
}
