/** The command lines of the container examples are accepted as written. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { WorkerOptions } from '../../../src/crawl/fleet/start-worker.ts';
import { runFake } from './fake-shell.ts';

const read = (name: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')).map((one) => {
    expect('errors' in one ? one.errors : []).toEqual([]);
    return 'toJS' in one ? (one.toJS() as unknown) : one;
  });

/** Every list of words in a document that begins with the command. */
function callsIn(value: unknown, command: string): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value[0] === command) return [value.map(String)];
  return Object.values(value).flatMap((each) => callsIn(each, command));
}

it.each(['compose.yaml', 'docs/kubernetes.yaml'])(
  'those of %s start a controller without slots and its workers',
  async (name) => {
    const documents = read(name);
    const [crawl = []] = callsIn(documents, 'crawl');
    const seed = crawl.map((word) => word.replace(/^\$\{SEED:-(.*)\}$/, '$1'));
    const { shell } = await runFake({ words: seed });
    const [started] = shell.started;
    expect(started?.options).toMatchObject({ seeds: ['https://example.org/'], workers: 0, metrics: '0.0.0.0:9464' });

    const workers: WorkerOptions[] = [];
    const [worker = []] = callsIn(documents, 'worker');
    const { code } = await runFake({
      words: worker,
      engine: { startWorker: async (options) => void workers.push(options) },
    });
    expect([code, workers]).toEqual([
      0,
      [expect.objectContaining({ crawl: '*', workers: 2, redis: started?.options.redis })],
    ]);
    const folder = crawl[crawl.indexOf('-o') + 1];
    expect(workers[0]?.crawlFolder).toBe(folder);
  },
);

it.each(['compose.yaml', 'docs/scale.md'])(
  'the command of %s makes the folder, and names the user who may write to it',
  (name) => {
    const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
    expect(text).toMatch(/mkdir -p crawls\n#? *CRAWL_USER="\$\(id -u\):\$\(id -g\)" SEED=\S+ docker compose up/);
  },
);
