import { defineConfig } from 'vitest/config';

/** Tests stand in folders by what they need; a project is one such need. */
const project = (name: string, folders: readonly string[], extra: Record<string, unknown> = {}) => ({
  test: { name, include: folders.map((folder) => `test/${folder}/**/*.test.ts`), ...extra },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['unit', 'architecture']),
      project('lua', ['lua'], { testTimeout: 20_000 }),
      project('browser', ['inpage', 'render', 'egress', 'browsers'], {
        testTimeout: 30_000,
        hookTimeout: 30_000,
        maxWorkers: 2,
      }),
      project('flow', ['flow', 'packaging'], { testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2 }),
    ],
  },
});
