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

/** Every object in a document that has the key. */
function holdersOf(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((each) => holdersOf(each, key));
  return key in value ? [value as Readonly<Record<string, unknown>>, ...inside] : inside;
}

it('the pods of docs/kubernetes.yaml get no variables that look like settings, and its one attempt at a crawl waits for Redis', () => {
  const pods = holdersOf(read('docs/kubernetes.yaml'), 'containers');
  const ofCommand = (command: string) => pods.filter(({ containers }) => callsIn(containers, command).length > 0);
  const ours = [...ofCommand('crawl'), ...ofCommand('worker')];
  expect(ours.map(({ enableServiceLinks }) => enableServiceLinks)).toEqual([false, false]);
  const [controller] = ours;
  const url =
    callsIn(controller, 'crawl')
      .flat()
      .find((word) => word.startsWith('redis:')) ?? 'redis://none';
  expect(JSON.stringify(controller?.['initContainers'])).toContain(`redis-cli -h ${new URL(url).hostname} ping`);
});
