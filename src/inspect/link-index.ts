/**
 * The index of a crawl's link graph: built when the crawl has ended, and with the first question if there is none, or if the crawl has
 * gone on since. A crawl whose folder this user may only read gets an index in a temporary folder, for one question.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '../base/process/lock-file.ts';
import { makeTemporaryFolder } from '../base/process/temporary-folder.ts';
import { diskError, isWriteRefused } from '../crawl-folder/disk-error.ts';
import { madeFolder } from '../crawl-folder/make-folders.ts';
import { fileState, linkLines, pageLines } from '../crawl-folder/graph-lines.ts';
import { refuseLinks } from '../crawl-folder/no-links.ts';
import type { Unread } from '../crawl-folder/stored-lines.ts';
import { buildGraph, type GraphRows, type LinkRow, type PageRow } from './graph/build-index.ts';
import { GRAPH_FOLDER, GraphDamaged, LOCK_FILE, type GraphSources } from './graph/graph-layout.ts';
import { LinkGraph } from './graph/link-graph.ts';
import { labelOfLink } from './link-label.ts';

interface IndexNeeds {
  /** The crawl folder. */
  readonly folder: string;
  /** Canonical. */
  readonly seeds: readonly string[];
  /** Called with the reason when an index is built before a question can be answered. */
  readonly onIndexing?: (why: string) => void;
}

/**
 * Builds the index anew.
 * @throws {CrawlError} OUTPUT_IN_USE where another process builds it, DISK_FULL, OUTPUT_UNUSABLE; the signal's reason
 */
export async function buildLinkIndex(
  { folder, seeds }: Omit<IndexNeeds, 'onIndexing'>,
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, GRAPH_FOLDER);
  await refuseLinks(folder, [GRAPH_FOLDER]);
  try {
    // the recursive mkdir of Node says of a read-only disk that the folder above is not there
    await madeFolder(path);
    await using _lock = await lockFile(join(path, LOCK_FILE));
    await buildGraph(path, await rowsOf(folder, seeds), {}, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof RangeError ? error : diskError(error, path);
  }
}

/** Opens the index, after building it where that is needed. @throws as {@link buildLinkIndex} */
export async function openLinkIndex(needs: IndexNeeds, signal: AbortSignal): Promise<LinkGraph> {
  const { folder, onIndexing = () => {} } = needs;
  const path = join(folder, GRAPH_FOLDER);
  const sources = await sourcesOf(folder);
  const found = await openOrWhyNot(path, sources);
  if (found instanceof LinkGraph) return found;
  onIndexing(found);
  await buildLinkIndex(needs, signal);
  return openBuilt(path);
}

async function openBuilt(path: string): Promise<LinkGraph> {
  const graph = await LinkGraph.open(path);
  if (graph === null) throw new GraphDamaged(`the index in ${path} was removed as soon as it was built`);
  return graph;
}

/**
 * Asks the index. One that proves damaged meanwhile is built anew and asked again.
 * @throws as {@link buildLinkIndex}, and what the question throws
 */
export async function withLinkIndex<Answer>(
  needs: IndexNeeds,
  ask: (graph: LinkGraph) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    await using graph = await openLinkIndex(needs, signal);
    return await ask(graph);
  } catch (error) {
    if (isWriteRefused(error)) return withTemporaryIndex(needs, ask, signal);
    if (!(error instanceof GraphDamaged)) throw error;
    needs.onIndexing?.(error.message);
  }
  await buildLinkIndex(needs, signal);
  await using graph = await openLinkIndex(needs, signal);
  return ask(graph);
}

async function withTemporaryIndex<Answer>(
  { folder, seeds }: IndexNeeds,
  ask: (graph: LinkGraph) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const path = await makeTemporaryFolder('orbweaver-graph-');
  try {
    await buildGraph(path, await rowsOf(folder, seeds), {}, signal);
    await using graph = await openBuilt(path);
    return await ask(graph);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** The present state of the files that the index is made from. */
export async function sourcesOf(folder: string): Promise<GraphSources> {
  return {
    pages: await fileState(join(folder, 'pages.jsonl')),
    links: await fileState(join(folder, 'links.jsonl')),
  };
}

async function openOrWhyNot(path: string, sources: GraphSources): Promise<LinkGraph | string> {
  try {
    const graph = await LinkGraph.open(path);
    if (graph === null) return 'the crawl has no index of its links yet';
    if (JSON.stringify(graph.header.sources) === JSON.stringify(sources)) return graph;
    await graph[Symbol.asyncDispose]();
    return 'the crawl has gone on since its links were indexed';
  } catch (error) {
    if (error instanceof GraphDamaged) return error.message;
    throw error;
  }
}

async function rowsOf(folder: string, seeds: readonly string[]): Promise<GraphRows> {
  const sources = await sourcesOf(folder); // before anything is read: the lengths show whether a file grows meanwhile
  let count = 0;
  const unread = { torn: () => {}, damaged: () => (count += 1) };
  const routes = new Set<string>();
  return {
    seeds,
    pages: pageRows(folder, routes, unread),
    links: linkRows(folder, routes, unread), // they are read when all pages are
    unread: () => count,
    sources,
  };
}

/** @param routes gets the captured URLs with a fragment */
async function* pageRows(folder: string, routes: Set<string>, unread: Unread): AsyncGenerator<readonly PageRow[]> {
  for await (const lines of pageLines(folder, unread)) {
    for (const { url, outcome } of lines) if (outcome === 'captured' && url.includes('#')) routes.add(url);
    yield lines.map(({ url, finalUrl, outcome, robots }) => ({
      url,
      outcome,
      redirect: outcome === 'redirected' && finalUrl !== url ? finalUrl : null,
      isNofollow: robots.some((token) => token === 'nofollow' || token === 'none'),
    }));
  }
}

async function* linkRows(
  folder: string,
  routes: ReadonlySet<string>,
  unread: Unread,
): AsyncGenerator<readonly LinkRow[]> {
  const isPage = (url: string): boolean => routes.has(url);
  for await (const lines of linkLines(folder, unread)) {
    yield lines.map((line) => ({
      from: line.from,
      to: line.to,
      offset: line.offset,
      length: line.length,
      label: labelOfLink(line, isPage),
    }));
  }
}
