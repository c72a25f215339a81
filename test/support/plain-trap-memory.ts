/** A memory that never suspects a group of pages: for tests that are about something else. */
import type { TrapMemory } from '../../src/traps/trap-memory.ts';

export function plainTrapMemory(): TrapMemory {
  return {
    recall: () => Promise.resolve({ saysNew: false, showsNew: false, standing: { kind: 'none' } }),
    keepQuestion: () => Promise.resolve(),
    questionOf: () => Promise.resolve(null),
    keepAnswer: () => Promise.resolve(),
    infiniteSpaces: () => Promise.resolve([]),
  };
}
