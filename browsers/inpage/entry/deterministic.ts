import type { DeterministicInput } from '../../../src/model/page-actions.ts';
import { makeDeterministic } from '../deterministic.ts';

export function run(input: DeterministicInput): void {
  makeDeterministic(input);
}
