/** A memory that never suspects a kind of pages: for tests that are about something else. */
import type { TrapMemory } from '../../src/traps/trap-memory.ts';

export function plainTrapMemory(): TrapMemory {
  return {
    recall: () => Promise.resolve({ saysNew: false, showsNew: false, standing: { kind: 'plain' } }),
    keepAnswer: () => Promise.resolve(),
    endless: () => Promise.resolve([]),
  };
}
