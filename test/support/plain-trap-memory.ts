/** Memories that learn nothing: for tests of other parts. */
import type { ParameterMemory } from '../../src/traps/parameter-memory.ts';
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

export function plainParameterMemory(): ParameterMemory {
  return {
    learn: () => Promise.resolve(),
    foldsOf: (urls) => Promise.resolve(urls.map(() => null)),
    undone: () => Promise.resolve([]),
    takenBack: () => Promise.resolve(),
    foldedFamilies: () => Promise.resolve([]),
  };
}
