import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TASKS } from '../../src/crawl/tasks.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** Every constant annotated as a task, in any file. */
async function declaredTasks(): Promise<readonly string[]> {
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/^export const (\w+): Task</gm)].map(([, name = '']) => name));
}

describe('the tasks of the program', () => {
  it('are known to the thread that they run in, all of them', async () => {
    const listed = [...(await readFile(join(root, 'crawl/tasks.ts'), 'utf8')).matchAll(/^ {2}([A-Z_]+),$/gm)];
    expect(listed.map(([, name]) => name).toSorted()).toEqual((await declaredTasks()).toSorted());
    expect(listed).toHaveLength(TASKS.length);
  });

  it('have a name each', () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(TASKS.length);
  });
});
