import { defineConfig } from 'vitest/config';

/** Tests stand in folders by what they need; a project is one such need. They run one after the other, quick ones first. */
const project = (name: string, order: number, folders: readonly string[], extra: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    sequence: { groupOrder: order },
    ...extra,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 0, ['unit', 'architecture']),
      project('lua', 1, ['lua'], { testTimeout: 20_000 }),
      project('browser', 2, ['inpage', 'render', 'egress', 'browsers'], {
        testTimeout: 30_000,
        hookTimeout: 30_000,
        maxWorkers: 3,
      }),
      project('flow', 3, ['flow', 'packaging'], { testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 3 }),
    ],
  },
});
