import { defineConfig } from 'vitest/config';

/**
 * What takes long by its nature (floods, kills, thousands of files, measured growth, properties on many examples), and files whose crawls take half
 * a minute: for `npm run test:full`.
 */
const SLOW = '**/*.slow.test.ts';

/**
 * Tests stand in folders by what they need; a project is one such need. Those of `npm test` run four files at a time, so that two cores have work while some
 * wait for a page.
 */
const project = (name: string, order: number, folders: readonly string[], extra: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [SLOW],
    sequence: { groupOrder: order },
    // the files of a worker share its modules: to load them anew for each took half of the time that unit tests need
    isolate: false,
    // a poll is for what comes at some time, on a busy machine, too; its limit is for what hangs
    expect: { poll: { timeout: 15_000 } },
    ...extra,
  },
});

/** A fixture is tried twice, and ended by the suite where it has not ended after 60 s. */
const HOSTILE = { isolate: true, testTimeout: 240_000, fileParallelism: false, maxWorkers: 1 };

/** Slow tests of how much memory this process takes. */
const OWN_MEMORY = ['memory', 'memory-floods', 'hostile-floods'].map((name) => `test/render/${name}.slow.test.ts`);

const SLOW_TIMES = { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 4 };

export default defineConfig({
  test: {
    // what a source became is kept under node_modules by a digest of its text and of this file: the four runs of .ci/run transform it once
    experimental: { fsModuleCache: true },
    projects: [
      // property tests compute for a second or two, and several times as long on a busy machine: the limit is for what hangs
      project('unit', 0, ['unit', 'architecture'], { testTimeout: 60_000, maxWorkers: 4 }),
      project('lua', 0, ['lua'], { testTimeout: 60_000, maxWorkers: 4 }),
      // a start of the browser may take a minute where others compute
      project('browser', 0, ['inpage', 'render', 'egress', 'browsers'], {
        testTimeout: 120_000,
        hookTimeout: 120_000,
        maxWorkers: 4,
      }),
      project('flow', 0, ['flow', 'packaging'], { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 4 }),
      // most of their time is waited for: a delay, a stall, a time-out
      project('slow', 1, [], { ...SLOW_TIMES, include: [`test/${SLOW}`], exclude: [...OWN_MEMORY] }),
      // what earlier files have used and left would hide growth
      project('slow-memory', 1, [], { ...SLOW_TIMES, isolate: true, include: [...OWN_MEMORY], exclude: [] }),
      // one file, whose tests run one at a time: a fixture may take all the memory that a crawl is allowed
      project('hostile-quick', 1, [], {
        ...HOSTILE,
        fileParallelism: true,
        maxWorkers: 4,
        include: ['test/hostile/quick.test.ts'],
      }),
      // for `npm run test:hostile`, one file after the other as well
      project('hostile', 3, ['hostile'], {
        ...HOSTILE,
        exclude: ['test/hostile/quick.test.ts'],
        globalSetup: ['test/hostile/results.ts'],
      }),
    ],
  },
});
