/** Finds links in a page or a file by discoverers. Links from an extension are checked and cut like those of a page. */
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import type { DiscovererFailure } from '../core/links/catalogue.ts';
import type { LinkDiscoverer } from '../core/links/discoverer.ts';
import type { FileSource } from '../model/file-source.ts';
import { LINK_KINDS } from '../model/link-kinds.ts';
import { LINK_CONFIDENCES, LINK_STAGES, type FoundLink } from '../model/link.ts';
import { boundedCall } from './bounded-call.ts';
import type { Extension } from './extension.ts';

export interface Discovery {
  readonly extensions: readonly Extension[];
  readonly log: Log;
}

/** Most links from a discoverer in one file; as many as a page may have. */
const LINK_LIMIT = 10_000;
/** Longest URL that can lead anywhere: four times the longest canonical URL. */
const URL_LIMIT = 8192;
const TEXT_LIMIT = 200;
const REL_LIMIT = 20;

const cut = z.string().transform((text) => text.slice(0, TEXT_LIMIT));
const url = z.string().max(URL_LIMIT);
/** All kinds but redirect: only a server's answer is a redirect. It costs no depth, so a discoverer must not invent one. */
const kind = z.enum(LINK_KINDS).exclude(['redirect']);
const foundLink: z.ZodType<FoundLink> = z.object({
  href: url,
  base: url,
  resolved: url.nullable(),
  kind,
  confidence: z.enum(LINK_CONFIDENCES),
  context: cut,
  stage: z.enum(LINK_STAGES),
  frame: url.nullable(),
  text: cut,
  rel: z.array(cut).transform((tokens) => tokens.slice(0, REL_LIMIT).map((token) => token.toLowerCase())),
});

/** The links from the extensions' discoverers. If one fails, it finds nothing and the failure is logged. */
export function extensionLinks(file: FileSource, { extensions, log }: Discovery): readonly FoundLink[] {
  return extensions.flatMap((extension) =>
    extension.discoverers.flatMap((discoverer) => {
      const about = { extension: extension.name, discoverer: discoverer.name, url: file.url };
      try {
        return checkedLinks(
          boundedCall(() => found(file, discoverer)),
          about,
          log,
        );
      } catch (error) {
        log.warn('discoverer failed', { ...about, error: error instanceof Error ? error.message : String(error) });
        return [];
      }
    }),
  );
}

/** Logs failures of built-in discoverers like those of extensions. */
export function logFailures(failures: readonly DiscovererFailure[], url: string, log: Log): void {
  for (const { discoverer, error } of failures)
    log.warn('discoverer failed', { extension: 'built-in', discoverer, url, error });
}

function found(file: FileSource, discoverer: LinkDiscoverer): unknown {
  return discoverer.accepts(file.contentType, file.url) ? discoverer.discover(file) : [];
}

export function checkedLinks(links: unknown, about: Readonly<Record<string, string>>, log: Log): readonly FoundLink[] {
  if (!Array.isArray(links)) throw new TypeError('discover() must give an array of links');
  const checked = links.slice(0, LINK_LIMIT).map((link) => foundLink.safeParse(link));
  const bad = checked.flatMap(({ error }) => (error === undefined ? [] : [z.prettifyError(error)]));
  if (bad.length > 0) log.warn('discoverer returned invalid links', { ...about, count: bad.length, first: bad[0] });
  if (links.length > LINK_LIMIT) {
    log.warn('discoverer gave too many links', { ...about, count: links.length, kept: LINK_LIMIT });
  }
  return checked.flatMap(({ data }) => (data === undefined ? [] : [data]));
}
