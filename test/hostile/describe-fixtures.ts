/** Makes one test of each fixture. */
import { inject, test, expect } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fixture } from './fixture.ts';
import { tryFixture } from './try-fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which each trial leaves its results; missing if they are not wanted. */
    readonly trials?: string;
  }
}

export function testFixtures(fixtures: readonly Fixture[]): void {
  test.each(fixtures.map((fixture) => [`${fixture.id} ${fixture.attack}`, fixture] as const))(
    '%s',
    async (_, fixture) => {
      const trial = await tryFixture(fixture);
      const folder = inject('trials');
      if (folder !== undefined) await writeFile(join(folder, `${fixture.id}.json`), JSON.stringify(trial));
      expect(trial.broken).toEqual([]);
    },
  );
}
