import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { seededRandom } from '../../src/base/random.ts';

export interface GraphSite {
  /** Paths of all pages, each reachable from `/`. */
  readonly paths: readonly string[];
}

/**
 * Writes a random site into a folder (a small version of BUbiNG's NamedGraphServer): an earlier page links to page i, so all
 * are reachable; the other links go anywhere. The same seed gives the same site.
 * @param linksPerPage further links of each page
 */
export async function writeGraphSite(
  folder: string,
  pages: number,
  linksPerPage: number,
  seed = 1,
): Promise<GraphSite> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const paths = Array.from({ length: pages }, (_, index) => (index === 0 ? '/' : `/s${index % 10}/page-${index}.html`));
  const links = paths.map((): number[] => []);
  for (let index = 1; index < pages; index += 1) links[below(index)]?.push(index);
  for (const targets of links) for (let more = 0; more < linksPerPage; more += 1) targets.push(below(pages));
  await Promise.all(
    paths.map(async (path, index) => {
      const file = join(folder, path === '/' ? 'index.html' : path);
      await mkdir(dirname(file), { recursive: true });
      const anchors = (links[index] ?? [])
        .map((target) => `<p><a href="${paths[target]}">page ${target}</a></p>`)
        .join('\n');
      await writeFile(
        file,
        `<!doctype html><html lang="en"><title>Page ${index}</title><h1>Page ${index}</h1>\n${anchors}\n</html>\n`,
      );
    }),
  );
  return { paths };
}
