/** A memory that never suspects a kind of pages: for tests that are about something else. */
import type { GistMemory } from '../../src/traps/gist-memory.ts';

export function plainGists(): GistMemory {
  return {
    recall: () => Promise.resolve({ saysNew: false, showsNew: false, standing: { kind: 'plain' } }),
    keepAnswer: () => Promise.resolve(),
    endless: () => Promise.resolve([]),
  };
}
